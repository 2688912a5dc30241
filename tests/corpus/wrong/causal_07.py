import torch


def causal_attention(q, k, v):
    """每个位置只能看到自己和之前的位置"""
    Sq, Sk = q.size(2), k.size(2)
    pos_q = torch.arange(Sq)[:, None] + (Sk - Sq)
    pos_k = torch.arange(Sk)[None, :]
    s = (q @ k.mT) / q.size(3) ** 0.5
    s = s.masked_fill(pos_k >= pos_q, torch.finfo(s.dtype).min)
    return s.softmax(dim=-1) @ v
