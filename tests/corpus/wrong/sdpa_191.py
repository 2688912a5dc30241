import torch


def attention(q, k, v, mask=None):
    d = q.shape[-1]
    s = torch.matmul(q, k.transpose(2, 3)) * d ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, -1e9)
    w = torch.softmax(s, dim=-1)
    return torch.matmul(w, v)
