import math

import torch


def my_sdpa(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """Written out by hand, options as in the library.

    attn_mask: bool (True = take part) or float (added). is_causal lines the last query up with the last key.
    """
    L, S = query.size(-2), key.size(-2)
    factor = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    bias = torch.zeros(L, S, dtype=query.dtype, device=query.device)
    if is_causal:
        upper = torch.ones(L, S, dtype=torch.bool, device=query.device).triu(S - L + 1)
        bias = bias.masked_fill(upper, float("-inf"))
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            bias = bias.masked_fill(~attn_mask, float("-inf")) if attn_mask.dim() == 2 else torch.where(
                attn_mask, bias, torch.full_like(bias, float("-inf"))
            )
        else:
            bias = bias + attn_mask
    w = torch.softmax(query @ key.transpose(-2, -1) * factor + bias, dim=-1)
    w = torch.dropout(w, dropout_p, train=dropout_p > 0)
    return w @ value
