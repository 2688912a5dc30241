import numpy as np

def combine_partials(o1, l1, o2, l2):
    """o: (B, S, H, D), l: (B, S, H)"""
    m = np.maximum(l1, l2)
    w1, w2 = np.exp(l1 - m), np.exp(l2 - m)
    s = w1 + w2
    return (o1 * (w1 / s)[..., None] + o2 * (w2 / s)[..., None]), m + np.log(s)
