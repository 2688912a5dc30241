import torch


def softmax(x, dim=-1):
    """Attention with one key per entry is a softmax."""
    x = x.movedim(dim, -1)
    n = x.shape[-1]
    flat = x.reshape(-1, n).unsqueeze(-2)
    eye = torch.eye(n, dtype=x.dtype)
    out = torch.nn.functional.scaled_dot_product_attention(flat, eye, eye, scale=1.0)
    return out.squeeze(-2).reshape(x.shape).movedim(-1, dim)
