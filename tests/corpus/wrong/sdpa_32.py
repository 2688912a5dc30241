import torch


class Attn:
    def __call__(self, q, k, v):
        # q: (batch, seq, heads, dim)
        size = q.shape[2] * q.shape[3]
        w = torch.einsum("bqhd,bkhd->bhqk", q, k).mul(size ** -0.5).softmax(dim=-1)
        return torch.einsum("bhqk,bkhd->bqhd", w, v)
