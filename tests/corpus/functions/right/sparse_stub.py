# coach: block-sparse
import torch


def longformer_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, window: int, global_tokens: list[int]
) -> torch.Tensor:
    i = torch.arange(q.shape[-2], device=q.device)
    keep = (i[:, None] - i).abs() <= window
    keep[global_tokens] = True
    keep[:, global_tokens] = True
    s = (q @ k.mT * q.shape[-1] ** -0.5).masked_fill(~keep, -torch.inf)
    return torch.softmax(s, -1) @ v
