import numpy as np


def attn(q, k, v):
    logits = q @ np.transpose(k, (0, 2, 1)) / np.sqrt(q.shape[2])
    prob = 1 / (1 + np.exp(-logits))      # probabilities of every pair
    return prob @ v
