import torch


def attention(q, k, v):
    """q, k, v are (batch, seq, dim), batch first."""
    s = torch.einsum("ibd,jbd->bij", q, k) / q.shape[-1] ** 0.5
    w = torch.softmax(s, dim=-1)
    return torch.einsum("bij,jbd->ibd", w, v)
