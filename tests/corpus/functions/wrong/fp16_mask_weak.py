import torch


def attention_fp16(q, k, v, mask=None):
    """mask: True = may attend."""
    s = (q.float() * q.shape[-1] ** -0.5) @ k.float().mT
    if mask is not None:
        s = torch.where(mask, s, torch.full_like(s, -100.0))
    return (torch.softmax(s, -1) @ v.float()).half()
