# coach: fp16-attention
import torch


def attention_fp16(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    s = (q.float() * q.shape[-1] ** -0.5) @ k.float().mT
    p = torch.softmax(s, dim=-1)
    return (p @ v.float()).to(q.dtype)
