import torch
import torch.nn.functional as F
def attention(q, k, v):
    """blocked over keys; the last block is padded with zeros"""
    Bk = 4
    pad = -k.shape[-2] % Bk
    k, v = F.pad(k, (0, 0, 0, pad)), F.pad(v, (0, 0, 0, pad))
    m = torch.full((*q.shape[:-1], 1), -torch.inf); l = torch.zeros_like(m); o = 0
    for j in range(0, k.shape[-2], Bk):
        s = q @ k[..., j:j + Bk, :].mT / q.shape[-1] ** .5
        n = torch.maximum(m, s.amax(-1, keepdim=True))
        p = (s - n).exp()
        l = l * (m - n).exp() + p.sum(-1, keepdim=True)
        o = o * (m - n).exp() + p @ v[..., j:j + Bk, :]
        m = n
    return o / l
