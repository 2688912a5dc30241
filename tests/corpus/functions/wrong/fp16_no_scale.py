import torch


def attention_fp16(q, k, v):
    p = torch.softmax(q.float() @ k.float().transpose(-1, -2), dim=-1)
    return (p @ v.float()).half()
