import torch
from torch import Tensor


def attention(q: Tensor, k: Tensor, v: Tensor, chunk: int = 3) -> Tensor:
    """Memory-efficient attention over chunks of keys; (B, H, S, D)."""
    scale = q.shape[-1] ** -0.5
    best = torch.full_like(q[..., :1], float("-inf"))
    total = torch.zeros_like(best)
    value = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    for kc, vc in zip(k.split(chunk, dim=2), v.split(chunk, dim=2)):
        logits = scale * (q @ kc.transpose(2, 3))
        top = torch.maximum(best, logits.max(dim=-1, keepdim=True).values)
        weight = (logits - top).exp()
        value = value * (best - top).exp() + weight @ vc
        total = total + weight.sum(dim=-1, keepdim=True)
        best = top
    return value / total
