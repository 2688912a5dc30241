# coach: attention-backward
import torch


def attention_backward(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, d_out: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Gradients of softmax(q k^T / sqrt(D)) v, by hand."""
    c = q.shape[-1] ** -0.5
    p = torch.softmax(q @ k.mT * c, -1)
    dp = d_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * c
    return ds @ k, ds.mT @ q, p.mT @ d_out
