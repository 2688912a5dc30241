import torch


def _slopes(n):
    return torch.tensor([2.0 ** (-8.0 * (i + 1) / n) for i in range(n)])


def alibi_attention(q, k, v, causal: bool = True):
    b, h, n, d = q.shape
    m = k.shape[-2]
    pos_q = torch.arange(n).view(n, 1) + (m - n)
    pos_k = torch.arange(m).view(1, m)
    score = torch.einsum("bhnd,bhmd->bhnm", q, k) / d**0.5
    score = score - (pos_q - pos_k).abs().to(q.dtype) * _slopes(h).to(q.dtype).view(h, 1, 1)
    if causal:
        score = score.masked_fill(pos_k > pos_q, -torch.inf)
    return torch.einsum("bhnm,bhmd->bhnd", torch.softmax(score, -1), v)
