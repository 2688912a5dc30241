import torch


def attention_fp16(q, k, v):
    b, h, s, d = q.shape
    p = torch.softmax((q.float() * d ** -0.5) @ k.float().mT, -1)
    return (p @ v.float()).half().view(b, h, s, d)
