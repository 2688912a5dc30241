import numpy as np


def softmax(logits: np.ndarray, temperature: float = 1.0, axis: int = -1) -> np.ndarray:
    """Temperature softmax: T -> 0 is argmax, T -> inf is uniform. T defaults to 1."""
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    scaled = logits / temperature
    scaled = scaled - scaled.max(axis=axis, keepdims=True)
    weights = np.exp(scaled)
    weights /= weights.sum(axis=axis, keepdims=True)
    return weights
