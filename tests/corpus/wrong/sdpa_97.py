import torch


def attention(q, k, v, block=2):
    """按 key 分块的在线 softmax"""
    q = q / q.shape[-1] ** 0.5
    m = q.new_full(q.shape[:-1] + (1,), float("-inf"))
    l = torch.zeros_like(m)
    acc = q.new_zeros(q.shape[:-1] + (v.shape[-1],))
    for j in range(0, k.shape[-2], block):
        s = q @ k[..., j:j + block, :].mT
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - m_new)
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(-1, keepdim=True)
        acc = acc + p @ v[..., j:j + block, :]
        m = m_new
    return acc / l
