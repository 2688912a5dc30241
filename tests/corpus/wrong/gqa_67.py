# coach: gqa
import torch


def gqa(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Grouped-query attention; with one key/value head it is multi-query attention.

    q: (B, H, Sq, D), k: (B, Hkv, Sk, D), v: (B, Hkv, Sk, Dv); Hkv divides H, Sq may differ from Sk, Dv from D.
    Key/value head h serves the query heads h * g .. h * g + g - 1, g = H / Hkv. Scale: 1 / sqrt(D). No mask.
    Returns (B, H, Sq, Dv) in the dtype of q.
    """
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat(1, g, 1, 1), v.repeat(1, g, 1, 1)
    return torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1) @ v
