import math
import torch
from torch import nn


class DecoderCrossAttn(nn.Module):
    """解码器对编码器输出 memory 做注意力"""

    def __init__(self, d_model, nhead):
        super().__init__()
        self.nhead, self.d_k = nhead, d_model // nhead
        self.wq = nn.Linear(d_model, d_model)
        self.wk = nn.Linear(d_model, d_model)
        self.wv = nn.Linear(d_model, d_model)
        self.wo = nn.Linear(d_model, d_model)

    def forward(self, tgt, memory=None):
        source = memory if memory is None else tgt
        if source is None:
            source = tgt
        B, T, C = tgt.shape
        split = lambda t: t.view(B, -1, self.nhead, self.d_k).transpose(1, 2)
        q, k, v = split(self.wq(tgt)), split(self.wk(source)), split(self.wv(source))
        a = torch.softmax(torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.d_k), dim=-1)
        return self.wo(torch.matmul(a, v).transpose(1, 2).reshape(B, T, C))
