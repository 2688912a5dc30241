import numpy as np


class DotAttention:
    """numpy 版缩放点积注意力；mask 中 1 表示可见，0 表示不可见。"""

    def __init__(self):
        self.last_weights = None

    @staticmethod
    def _softmax(a):
        peak = a.max(axis=-1, keepdims=True)
        peak = np.where(np.isfinite(peak), peak, 0).astype(a.dtype)
        e = np.exp(a - peak)
        z = e.sum(axis=-1, keepdims=True)
        return e / np.where(z > 0, z, 1).astype(a.dtype)

    def __call__(self, Q, K, V, mask=None):
        a = Q @ np.swapaxes(K, -1, -2)
        a = a / np.array(Q.shape[-1] ** 0.5, dtype=a.dtype)
        if mask is not None:
            a = np.where(mask > 0, a, np.array(-np.inf, dtype=a.dtype))
        self.last_weights = self._softmax(a)
        return self.last_weights @ V
