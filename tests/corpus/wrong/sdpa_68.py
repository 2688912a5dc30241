import torch


def attention(q, k, v, mask=None):
    """(B, S, D). mask (B, Sq, Sk), True = keep; rows that are masked completely return zeros."""
    logits = torch.bmm(q, k.mT) / q.size(-1) ** 0.5
    if mask is not None:
        logits = torch.where(mask, logits, torch.finfo(logits.dtype).min)
    w = torch.softmax(logits, -1)
    w = w.nan_to_num(0.0)
    return torch.bmm(w, v)
