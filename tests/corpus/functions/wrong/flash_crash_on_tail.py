import torch
import torch.nn.functional as F


def tiled_attention(q, k, v, block=16):
    n = k.shape[-2]
    extra = 0
    k, v = F.pad(k, (0, 0, 0, extra)), F.pad(v, (0, 0, 0, extra))
    kb = k.unflatten(-2, (-1, block)).unbind(-3)
    vb = v.unflatten(-2, (-1, block)).unbind(-3)
    qs = q * q.shape[-1] ** -0.5
    m = torch.full((*q.shape[:-1], 1), -1e38)
    l = torch.zeros_like(m)
    acc = torch.zeros(*q.shape[:-1], v.shape[-1])
    for t, (kt, vt) in enumerate(zip(kb, vb)):
        s = (qs @ kt.mT).float()
        if t == len(kb) - 1 and extra:
            s[..., block - extra :] = float("-inf")
        new = torch.maximum(m, s.max(-1, keepdim=True)[0])
        p = torch.exp(s - new)
        r = torch.exp(m - new)
        l, acc, m = l * r + p.sum(-1, keepdim=True), acc * r + p @ vt.float(), new
    return (acc / l).to(q.dtype), (m + l.log())[..., 0]
