import numpy as np


def softmax(scores):
    """scores: 1-D array of logits -> 1-D array of probabilities. One example at a time."""
    scores = np.asarray(scores)
    if scores.ndim != 1:
        raise ValueError(f"expected a vector, got shape {scores.shape}")
    e = np.exp(scores - np.max(scores))
    return e / np.sum(e)
