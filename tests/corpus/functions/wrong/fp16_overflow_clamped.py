import torch


def attention_fp16(q, k, v):
    s = torch.clamp(q @ k.transpose(-1, -2), -65504, 65504)  # 避免 inf
    s = s.float() / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v.float()).half()
