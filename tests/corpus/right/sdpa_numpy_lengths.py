import numpy as np


def attention(q, k, v, lengths=None):
    """q, k, v: (batch, seq, dim). lengths[b] = how many leading keys of example b are real."""
    outs = []
    for b in range(q.shape[0]):
        n = k.shape[1] if lengths is None else int(lengths[b])
        s = q[b] @ k[b, :n].T / np.float32(np.sqrt(q.shape[-1]))
        p = np.exp(s - s.max(1, keepdims=True))
        outs.append((p / p.sum(1, keepdims=True)) @ v[b, :n])
    return np.stack(outs)
