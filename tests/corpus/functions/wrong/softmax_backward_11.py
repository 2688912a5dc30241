import numpy as np
def softmax_backward(p, dp):
    return p * (dp - (p * dp).sum())
