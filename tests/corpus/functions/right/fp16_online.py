import torch


def attention_fp16(q, k, v, block_size=4):
    m = torch.full(q.shape[:-1], -torch.inf, dtype=torch.float32)
    l = torch.zeros_like(m)
    acc = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=torch.float32)
    qf = q.float() * q.shape[-1] ** -0.5
    for kb, vb in zip(k.split(block_size, -2), v.split(block_size, -2)):
        s = qf @ kb.float().transpose(-1, -2)
        new = torch.maximum(m, s.amax(-1))
        a = torch.exp(m - new)
        p = torch.exp(s - new[..., None])
        l = l * a + p.sum(-1)
        acc = acc * a[..., None] + p @ vb.float()
        m = new
    return (acc / l[..., None]).half()
