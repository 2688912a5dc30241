import numpy as np


def gqa(q, k, v):
    hq, hk = q.shape[1], k.shape[1]
    outs = []
    for h in range(hq):
        s = q[:, h] @ k[:, h % hk].swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        s = np.exp(s - s.max(-1, keepdims=True))
        outs.append((s / s.sum(-1, keepdims=True)) @ v[:, h % hk])
    return np.stack(outs, 1)
