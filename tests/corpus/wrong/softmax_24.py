import numpy as np


class SoftmaxLayer:
    def forward(self, x):
        z = x - x.max(axis=-1, keepdims=True)
        e = np.exp(z)
        self.y = e / np.mean(e, axis=-1, keepdims=True)
        return self.y


softmax = SoftmaxLayer().forward
