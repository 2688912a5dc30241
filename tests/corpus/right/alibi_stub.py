# coach: alibi
import torch


def alibi_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    h, sq, sk = q.shape[1], q.shape[2], k.shape[2]
    slopes = 2.0 ** (-8.0 * torch.arange(1, h + 1, device=q.device, dtype=torch.float32) / h)
    i = torch.arange(sq, device=q.device)[:, None] + sk - sq
    j = torch.arange(sk, device=q.device)
    bias = (slopes[:, None, None] * (j - i)).to(q.dtype)
    s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5 + bias
    s = s.masked_fill(j > i, float("-inf"))
    p = torch.nan_to_num(s.softmax(-1))
    return p @ v
