# coach: sdpa
import math
import torch


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """Scaled dot-product attention.

    q: (B, H, Sq, D), k: (B, H, Sk, D), v: (B, H, Sk, Dv); Sq may differ from Sk, Dv from D.
    mask: broadcastable to (B, H, Sq, Sk). Boolean: True = may attend. Floating: added to the scores.
    Scale: 1 / sqrt(D). A query with nothing to attend to gives 0.
    Returns (B, H, Sq, Dv) in the dtype of q. F.scaled_dot_product_attention is not accepted.
    """
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s + mask
    return torch.nan_to_num(s.softmax(-1)) @ v
