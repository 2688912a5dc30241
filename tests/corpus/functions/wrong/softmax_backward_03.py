import numpy as np


def softmax_gradient(y, dy):
    return dy * y * (1.0 - y)
