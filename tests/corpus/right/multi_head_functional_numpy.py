import numpy as np


def softmax(z):
    z = np.exp(z - z.max(-1, keepdims=True))
    return z / z.sum(-1, keepdims=True)


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    """逐个 head 循环，每个 head 取权重的一段列。x: (batch, seq, d_model)"""
    d_head = x.shape[-1] // n_heads
    heads = []
    for h in range(n_heads):
        cols = slice(h * d_head, (h + 1) * d_head)
        q, k, v = x @ w_q[:, cols], x @ w_k[:, cols], x @ w_v[:, cols]
        heads.append(softmax(q @ k.swapaxes(1, 2) / np.float32(np.sqrt(d_head))) @ v)
    return np.concatenate(heads, axis=-1) @ w_o
