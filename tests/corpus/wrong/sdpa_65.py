import torch


def attention(q, k, v, mask=None):
    """q, k, v (B, H, S, D), mask (B, Sq, Sk) bool, True = visible"""
    B, H, Sq, D = q.shape
    s = torch.bmm(q.reshape(B * H, Sq, D), k.reshape(B * H, -1, D).transpose(1, 2)) * D ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask.repeat(H, 1, 1), float("-inf"))
    out = torch.bmm(torch.softmax(s, dim=-1), v.reshape(B * H, k.size(2), -1))
    return out.reshape(B, H, Sq, -1)
