import torch


def masked_softmax(x, mask=None, dim=-1):
    """Softmax with an optional boolean mask, True = 参与归一化. Without a mask it is plain softmax."""
    if mask is not None:
        x = x.masked_fill(~mask, float("-inf"))
    m = x.amax(dim=dim, keepdim=True).clamp(min=torch.finfo(x.dtype).min)
    e = (x - m).exp()
    return e / e.sum(dim=dim, keepdim=True).clamp(min=torch.finfo(x.dtype).tiny)
