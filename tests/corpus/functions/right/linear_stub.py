# coach: linear-attention
import torch
import torch.nn.functional as F


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool = False) -> torch.Tensor:
    q, k = F.elu(q) + 1, F.elu(k) + 1
    if not causal:
        return q @ (k.mT @ v) / (q @ k.sum(-2).unsqueeze(-1))
    S = q.new_zeros(*q.shape[:2], q.shape[-1], v.shape[-1])
    z = q.new_zeros(*q.shape[:2], q.shape[-1])
    out = []
    for t in range(q.shape[2]):
        S = S + k[:, :, t, :, None] * v[:, :, t, None, :]
        z = z + k[:, :, t]
        out.append((q[:, :, t, None] @ S).squeeze(-2) / (q[:, :, t] * z).sum(-1, keepdim=True))
    return torch.stack(out, 2)
