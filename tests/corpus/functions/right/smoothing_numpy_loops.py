import math

import numpy as np


def smooth_cross_entropy(logits, labels, epsilon=0.1):
    """逐样本计算，最后对 batch 求平均。"""
    total = 0.0
    N, C = logits.shape
    for n in range(N):
        top = max(logits[n])
        logz = top + math.log(sum(math.exp(v - top) for v in logits[n]))
        loss = 0.0
        for c in range(C):
            q = epsilon / C + (1 - epsilon if c == labels[n] else 0.0)
            loss -= q * (logits[n, c] - logz)
        total += loss
    return total / N
