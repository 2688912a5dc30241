import torch


def fp16_attention(q, k, v, mask=None):
    """mask: boolean, broadcastable to the scores, True = may attend."""
    scale = q.shape[-1] ** -0.5
    s = torch.matmul((q * scale).to(torch.float32), k.to(torch.float32).transpose(-1, -2))
    if mask is not None:
        s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
    s = torch.softmax(s, dim=-1)
    return torch.matmul(s, v.to(torch.float32)).type_as(q)
