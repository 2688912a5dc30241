import torch


def biased_attention(q, k, v, attn_bias=None):
    """attn_bias is added to the logits (e.g. 0 / -inf, or a learned bias)."""
    b, h, m, d = q.shape
    n = k.shape[2]
    if attn_bias is None:
        attn_bias = q.new_zeros(b, h, m, n)
    else:
        attn_bias = attn_bias.to(q.dtype).expand(b, h, m, n)
    logits = torch.baddbmm(
        attn_bias.reshape(b * h, m, n),
        q.reshape(b * h, m, d),
        k.reshape(b * h, n, d).transpose(1, 2),
        alpha=d ** -0.5,
    )
    return torch.bmm(logits.softmax(-1), v.reshape(b * h, n, -1)).view(b, h, m, -1)
