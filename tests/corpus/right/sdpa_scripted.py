import torch


@torch.jit.script
def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    scale = float(q.size(-1)) ** -0.5
    s = torch.matmul(q, k.transpose(-2, -1)) * scale
    return torch.matmul(torch.softmax(s, dim=-1), v)
