import torch


def alibi_attention(q, k, v):
    """Causal, q and k may differ in length (Sq != Sk): the last query is at the last key."""
    b, h, sq, d = q.shape
    sk = k.shape[2]
    m = 2.0 ** (-8.0 * torch.arange(1, h + 1) / h)
    i = torch.arange(sk - sq, sk).view(-1, 1)
    j = torch.arange(sk).view(1, -1)
    s = q @ k.mT / d**0.5
    s = s + (m.view(-1, 1, 1) * (j - i)).to(s)
    s = s.masked_fill(j > torch.arange(sq).view(-1, 1), float("-inf"))
    return s.softmax(-1) @ v
