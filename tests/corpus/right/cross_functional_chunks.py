import torch


def cross_attention(x, context, w_q, w_k, w_v, w_o, n_heads, context_mask=None):
    """x (B, Sq, C), context (B, Sk, E); weights multiply from the right."""
    def heads(t):
        return torch.stack(t.chunk(n_heads, dim=-1), dim=0)      # (H, B, S, d)

    q, k, v = heads(x @ w_q), heads(context @ w_k), heads(context @ w_v)
    s = torch.einsum("hbid,hbjd->hbij", q, k) / q.shape[-1] ** 0.5
    if context_mask is not None:
        s = s.masked_fill(context_mask.logical_not()[None, :, None, :], float("-inf"))
    o = s.softmax(-1) @ v
    return torch.cat(list(o), dim=-1) @ w_o
