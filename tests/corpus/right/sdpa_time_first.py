import torch

class Attn(torch.nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, query, keys, values):
        """query (T, B, D), keys (S, B, D), values (S, B, Dv): time first"""
        e = torch.einsum("tbd,sbd->bts", query, keys) / query.size(-1) ** 0.5
        a = torch.softmax(e, dim=2)
        return torch.einsum("bts,sbd->tbd", a, values), a
