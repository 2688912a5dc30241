import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def multi_head_attention(Q, K, V, W_q, W_k, W_v, W_o, num_heads):
    """Q, K, V (batch, seq_len, d_model)"""
    batch_size, seq_len, d_model = Q.shape
    d_k = d_model // num_heads

    def heads(x, w):  # (batch, num_heads, seq_length, d_k)
        return (x @ w).reshape(batch_size, seq_len, num_heads, d_k).transpose(0, 2, 1, 3)

    q, k, v = heads(Q, W_q), heads(K, W_k), heads(V, W_v)
    context = softmax(q @ k.transpose(0, 1, 3, 2) / np.sqrt(d_k)) @ v
    return context.transpose(0, 2, 1, 3).reshape(batch_size, seq_len, d_model) @ W_o
