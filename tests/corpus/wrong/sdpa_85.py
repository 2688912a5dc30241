import torch


def attention(q, k, v, mask=None):
    """mask True = visible. Runs the matmuls in bf16 like on the tensor cores."""
    t = torch.bfloat16
    s = (q.to(t) @ k.to(t).transpose(-2, -1)).to(q.dtype) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.softmax(s, dim=-1)
    return (p.to(t) @ v.to(t)).to(q.dtype)
