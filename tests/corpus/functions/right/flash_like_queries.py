import torch


def flash_attention_forward(Q, K, V, block_size=16):
    """
    Q: (batch, heads, seq_q, head_dim)
    K: (batch, heads, seq_k, head_dim)
    V: (batch, heads, seq_k, head_dim)
    """
    out = torch.zeros_like(Q)
    top = torch.full(Q.shape[:-1], float("-inf"), dtype=Q.dtype)
    total = torch.zeros_like(top)
    for start in range(0, K.shape[2], block_size):
        k, v = K[:, :, start : start + block_size], V[:, :, start : start + block_size]
        scores = Q @ k.transpose(-2, -1) / Q.shape[-1] ** 0.5
        new_top = torch.maximum(top, scores.amax(-1))
        p = torch.exp(scores - new_top[..., None])
        shrink = torch.exp(top - new_top)
        total = total * shrink + p.sum(-1)
        out = out * shrink[..., None] + p @ v
        top = new_top
    return out / total[..., None], top + total.log()
