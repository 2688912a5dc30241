import torch


def attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    L, S = q.size(-2), k.size(-2)
    factor = q.size(-1) ** -0.5 if scale is None else scale
    bias = torch.zeros(L, S, dtype=q.dtype, device=q.device)
    if is_causal:
        bias = bias.masked_fill(torch.ones(L, S, dtype=torch.bool, device=q.device).tril(S - L).logical_not(), float("-inf"))
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            bias = bias + torch.zeros_like(attn_mask, dtype=q.dtype).masked_fill(~attn_mask, float("-inf"))
        else:
            bias = bias + attn_mask
    w = torch.softmax(q @ k.transpose(-2, -1) * factor + bias, dim=-1)
    w = torch.dropout(w, dropout_p, train=False)
    return w @ v
