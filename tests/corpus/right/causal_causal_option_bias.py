import torch


def attention(q, k, v, causal=True, attn_bias=None):
    """bottom-right causal; an additive bias is optional"""
    s = torch.matmul(q, k.mT).div_(q.shape[-1] ** 0.5)
    if attn_bias is not None:
        s = s + attn_bias
    if causal:
        n, m = s.shape[-2:]
        s = s.masked_fill_(~torch.ones(n, m, dtype=torch.bool, device=s.device).tril_(m - n), -torch.inf)
    return torch.nan_to_num(s.softmax(-1)) @ v
