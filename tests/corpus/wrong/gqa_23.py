import torch


def gqa(q, k, v):
    b, h, s, d = q.shape
    n = k.shape[1]
    k = k.view(b, n, 1, s, d).expand(b, n, h // n, s, d).reshape(b, h, s, d)
    v = v.view(b, n, 1, s, d).expand(b, n, h // n, s, d).reshape(b, h, s, d)
    # Sq may differ from Sk
    return (q @ k.mT / d**0.5).softmax(-1) @ v
