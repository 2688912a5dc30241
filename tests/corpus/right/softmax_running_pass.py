import math

import numpy as np


def softmax_online(mat):
    """mat: (rows, cols) array. The normaliser is found in a single sweep over each row."""
    rows, cols = mat.shape
    result = np.zeros_like(mat)
    for r in range(rows):
        biggest, total = -math.inf, 0.0
        for c in range(cols):
            value = float(mat[r, c])
            if value == -math.inf:
                continue
            if value > biggest:
                total *= math.exp(biggest - value)
                biggest = value
            total += math.exp(value - biggest)
        for c in range(cols):
            if total > 0.0:
                result[r, c] = math.exp(float(mat[r, c]) - biggest) / total
    return result
