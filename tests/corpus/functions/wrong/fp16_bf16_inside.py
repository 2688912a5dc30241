import torch


def attention_fp16(q, k, v):
    """bf16 has the range of fp32, so nothing overflows."""
    q, k, v = q.bfloat16(), k.bfloat16(), v.bfloat16()
    p = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1)
    return (p @ v).half()
