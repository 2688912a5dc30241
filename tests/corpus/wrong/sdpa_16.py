import math
import torch


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Weighted sum of the values.

    Q, K, V: [batch, heads, seq_len, d_k]; mask: 1 = keep, 0 = masked.
    """
    d_k = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e-9)
    attn_weights = torch.softmax(scores, dim=-1)
    return torch.matmul(attn_weights, V)
