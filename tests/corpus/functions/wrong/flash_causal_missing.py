import torch
from torch import nn


class FlashAttention(nn.Module):
    def __init__(self, block_q=64, block_k=64, causal=False):
        super().__init__()
        self.block_q, self.block_k, self.causal = block_q, block_k, causal

    def forward(self, q, k, v):
        outs, lses = [], []
        shift = k.shape[-2] - q.shape[-2]
        for i, qb in enumerate(q.split(self.block_q, -2)):
            m = qb.new_full((*qb.shape[:-1], 1), float("-inf"))
            l = torch.zeros_like(m)
            o = qb.new_zeros(*qb.shape[:-1], v.shape[-1])
            pos_q = torch.arange(qb.shape[-2]).unsqueeze(1) + i * self.block_q + shift
            for j, (kb, vb) in enumerate(zip(k.split(self.block_k, -2), v.split(self.block_k, -2))):
                s = qb @ kb.mT / qb.shape[-1] ** 0.5
                if False:
                    pos_k = torch.arange(kb.shape[-2]) + j * self.block_k
                    s = s.where(pos_k <= pos_q, torch.tensor(float("-inf"), dtype=s.dtype))
                m2 = torch.maximum(m, s.amax(-1, keepdim=True))
                safe = m2.nan_to_num(neginf=0.0)
                p = (s - safe).exp()
                c = (m - safe).exp()
                l = c * l + p.sum(-1, keepdim=True)
                o = c * o + p @ vb
                m = m2
            outs.append(o / l.where(l > 0, torch.ones_like(l)))
            lses.append(m + l.log())
        return torch.cat(outs, -2), torch.cat(lses, -2)
