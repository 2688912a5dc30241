import torch
def attention(q, k, v, key_padding_mask=None):
    """q, k, v: (B, S, D). key_padding_mask: (B, S) bool, True = ignore"""
    s = torch.baddbmm(torch.zeros(q.shape[0], q.shape[1], k.shape[1], dtype=q.dtype), q, k.transpose(1, 2), beta=0, alpha=q.shape[-1] ** -0.5)
    if key_padding_mask is not None:
        s = s.masked_fill(key_padding_mask.unsqueeze(1), float("-inf"))
    return torch.bmm(torch.softmax(s, 2), v)
