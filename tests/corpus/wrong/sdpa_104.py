import torch


def attention(q, k, v, mask=None, block=2):
    """mask: True = may attend. Online softmax over blocks of keys."""
    B, H, Sq, D = q.shape
    Sk = k.shape[2]
    m = torch.full((B, H, Sq, 1), float("-inf"), dtype=q.dtype)
    l = torch.zeros(B, H, Sq, 1, dtype=q.dtype)
    o = torch.zeros(B, H, Sq, v.shape[3], dtype=q.dtype)
    keep = None if mask is None else mask.expand(B, H, Sq, Sk)
    for j in range(0, Sk, block):
        s = q @ k[:, :, j:j + block].mT / D ** 0.5
        if keep is not None:
            s = s.masked_fill(~keep[..., j:j + block], float("-inf"))
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - m_new)
        c = torch.exp(m - m_new)
        l = l * c + p.sum(-1, keepdim=True)
        o = o * c + p @ v[:, :, j:j + block]
        m = m_new
    return o / l
