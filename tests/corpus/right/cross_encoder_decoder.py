import torch
import torch.nn as nn


class EncoderDecoderAttention(nn.Module):
    """解码器对编码器输出的注意力。

    src_mask: (B, 1, 1, S_src)，1 为有效 token，0 为 padding
    """

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.depth = d_model // num_heads
        self.fc_q = nn.Linear(d_model, d_model)
        self.fc_k = nn.Linear(d_model, d_model)
        self.fc_v = nn.Linear(d_model, d_model)
        self.fc_o = nn.Linear(d_model, d_model)

    def split_heads(self, t):
        bs = t.size(0)
        return t.view(bs, -1, self.num_heads, self.depth).permute(0, 2, 1, 3)

    def forward(self, tgt, memory, src_mask=None):
        q = self.split_heads(self.fc_q(tgt))
        k = self.split_heads(self.fc_k(memory))
        v = self.split_heads(self.fc_v(memory))
        energy = torch.matmul(q, k.permute(0, 1, 3, 2)) / self.depth ** 0.5
        if src_mask is not None:
            energy = energy.masked_fill(src_mask == 0, -torch.inf)
        attention = energy.softmax(dim=-1)
        out = torch.matmul(attention, v).permute(0, 2, 1, 3).contiguous()
        return self.fc_o(out.view(out.size(0), out.size(1), -1)), attention
