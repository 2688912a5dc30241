# coach: merge-lse
import torch


def merge_attention(
    out_a: torch.Tensor, lse_a: torch.Tensor, out_b: torch.Tensor, lse_b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Where both parts have no keys: 0 and -inf."""
    lse = torch.logaddexp(lse_a, lse_b)
    safe = torch.where(lse == -torch.inf, torch.zeros_like(lse), lse)
    out = (lse_a - safe).exp()[..., None] * out_a + (lse_b - safe).exp()[..., None] * out_b
    return out, lse
