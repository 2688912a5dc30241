import torch


def alibi_attention(q, k, v):
    """因果；Sq 可以小于 Sk"""
    h, sq, sk = q.size(1), q.size(2), k.size(2)
    rel = torch.arange(sk)[None, :] - (torch.arange(sq)[:, None] + sk - sq)
    m = 2.0 ** (-8 * (torch.arange(h) + 1) / h)
    s = q @ k.mT / q.size(-1) ** 0.5 + m.view(h, 1, 1) * rel
    return torch.nan_to_num(s.masked_fill(rel >= 0, -torch.inf).softmax(-1)) @ v
