import numpy as np


class Attention:
    """numpy, forward(Q, K, V, mask); mask 1 = keep, 0 = drop"""

    def forward(self, Q, K, V, mask=None):
        S = Q @ K.transpose(0, 2, 1) / np.sqrt(K.shape[1])
        S = np.exp(S - S.max(-1, keepdims=True))
        self.P = S / S.sum(-1, keepdims=True)
        if mask is not None:
            self.P = self.P * mask
        return self.P @ V
