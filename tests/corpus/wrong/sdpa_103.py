import torch


def attention(q, k, v, block=4):
    m = torch.zeros(*q.shape[:3], 1, dtype=q.dtype)
    l = torch.zeros_like(m)
    o = torch.zeros(*q.shape[:3], v.shape[3], dtype=q.dtype)
    for j in range(0, k.shape[2], block):
        s = torch.matmul(q, k[:, :, j:j + block].transpose(2, 3)) / q.shape[3] ** 0.5
        m2 = torch.maximum(m, s.max(dim=3, keepdim=True).values)
        c, p = (m - m2).exp(), (s - m2).exp()
        l = c * l + p.sum(3, keepdim=True)
        o = c * o + p @ v[:, :, j:j + block]
        m = m2
    return o / l
