import torch


def compute_attention(q, k, v, scale_factor=1, mask=None):
    """Scores times scale_factor, which the calling module sets to dim_head ** -0.5. mask: True = hide."""
    scores = torch.einsum("...id,...jd->...ij", q, k) * scale_factor
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    return torch.einsum("...ij,...jd->...id", scores.softmax(dim=-1), v)
