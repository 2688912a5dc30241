import torch


def self_attn(q, k, v, attention_mask=None):
    """attention_mask: (B, Sk) of 1 (token) and 0 (pad), turned into 0 / finfo.min and added."""
    scores = torch.matmul(q, k.transpose(-1, -2)) / q.size(-1) ** 0.5
    if attention_mask is not None:
        ext = attention_mask[:, None, None, :].to(scores.dtype)
        ext = (1.0 - ext) * torch.finfo(scores.dtype).min
        scores = scores + ext
    return torch.matmul(torch.softmax(scores, dim=-1), v)
