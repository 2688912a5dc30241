import torch


def attention_fp16(q, k, v):
    scores = torch.matmul(q, k.transpose(-2, -1)) / (q.shape[-1] ** 0.5)
    weights = torch.softmax(scores.float(), dim=-1)
    return torch.matmul(weights, v.float()).to(q.dtype)
