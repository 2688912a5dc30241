import torch
import torch.nn.functional as F


def swa(q, k, v, window):
    """q, k, v: (B, H, S, D), one length."""
    S, D = q.shape[-2:]
    kw = F.pad(k, (0, 0, window - 1, 0)).unfold(2, window, 1)
    vw = F.pad(v, (0, 0, window - 1, 0)).unfold(2, window, 1)
    s = torch.einsum("bhsd,bhsdw->bhsw", q, kw) / D**0.5
    before = torch.arange(S)[:, None] - (window - 1) + torch.arange(window) < 0
    p = torch.softmax(s.masked_fill(before, -torch.inf), dim=-1)
    return torch.einsum("bhsw,bhsdw->bhsd", p, vw)
