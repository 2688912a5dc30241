import math
import torch


class Attention:
    eps = 1e-9

    @staticmethod
    def softmax(x):
        x = x - x.max(dim=-1, keepdim=True)[0]
        ex = torch.exp(x)
        return ex / ex.sum(dim=-1, keepdim=True)

    def forward(self, q, k, v, mask=None):
        """mask 1/0 ints: 1 = attend (T5 has no scale, this one does)"""
        d_k = q.size(-1)
        s = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d_k)
        if mask is not None:
            s = s.masked_fill(mask == 0, -1e4 * 1e5)
        return torch.matmul(self.softmax(s), v)
