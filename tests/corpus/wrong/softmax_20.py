import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x))
    # 每一行除以自己的和
    return e / np.sum(e, axis=-1)
