import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x, -1, keepdims=True))
    return e / np.sum(e, -1, keepdims=True)


def gqa_attention(Q, K, V):
    # Q: (n_heads, L, d)   K, V: (n_kv_heads, L, d)
    rep = Q.shape[0] // K.shape[0]
    K = np.repeat(K, rep, axis=0)
    V = np.repeat(V, rep, axis=0)
    return softmax(np.einsum("hqd,hkd->hqk", Q, K) / np.sqrt(Q.shape[-1])) @ V
