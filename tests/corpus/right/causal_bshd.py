import torch
from torch import Tensor


def causal_attn(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    """Tensors are (batch, seq, heads, dim). Returns the output and the (batch, heads, q, k) weights."""
    q_len, k_len = query.shape[1], key.shape[1]
    offset = k_len - q_len
    i = torch.arange(q_len, device=query.device).view(-1, 1)
    j = torch.arange(k_len, device=query.device).view(1, -1)
    logits = torch.einsum("bihd,bjhd->bhij", query, key) / query.shape[-1] ** 0.5
    logits = torch.where(j - i > offset, torch.finfo(logits.dtype).min, logits)
    attn = torch.softmax(logits, dim=-1)
    return torch.einsum("bhij,bjhd->bihd", attn, value), attn
