import torch


def attention(q, k, v):
    """flash-style online softmax over key tiles of 64"""
    m = q.new_full(q.shape[:-1] + (1,), -torch.inf)
    l = torch.zeros_like(m)
    acc = q.new_zeros(*q.shape[:-1], v.shape[-1])
    for j in range(0, k.shape[-2], 64):
        s = q @ k[..., j:j + 64, :].mT * q.shape[-1] ** -0.5
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - m_new)
        l = l * torch.exp(m - m_new) + p.sum(-1, keepdim=True)
        acc = acc + p @ v[..., j:j + 64, :]
        m = m_new
    return acc / l
