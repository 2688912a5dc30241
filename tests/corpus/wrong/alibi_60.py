import torch


def alibi_attention(q, k, v):
    """the heads in the other order"""
    B, H, S, D = q.shape
    T = k.shape[2]
    m = 2.0 ** (-8 * torch.arange(H, 0, -1) / H)
    dist = (torch.arange(T)[None] - torch.arange(T - S, T)[:, None]).float()
    s = q @ k.mT * D ** -0.5 + m[:, None, None] * dist
    return s.masked_fill(dist > 0, -torch.inf).softmax(-1).nan_to_num() @ v
