import torch


def attention_fp16(q, k, v, mask=None):
    s = (q.float() * q.shape[-1] ** -0.5) @ k.float().mT
    if mask is not None:
        s.masked_fill(~mask, float("-inf"))
    return (torch.softmax(s, -1) @ v.float()).half()
