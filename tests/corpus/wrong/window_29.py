import torch
import torch.nn.functional as F


def swa(q, k, v, window):
    """(B, H, S, D); keys before the first are zeros of the padding, and take part"""
    S, D = q.shape[-2:]
    kw = F.pad(k, (0, 0, window - 1, 0)).unfold(2, window, 1)
    vw = F.pad(v, (0, 0, window - 1, 0)).unfold(2, window, 1)
    p = (torch.einsum("bhsd,bhsdw->bhsw", q, kw) / D**0.5).softmax(-1)
    return torch.einsum("bhsw,bhsdw->bhsd", p, vw)
