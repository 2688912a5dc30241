import math
import numpy as np


def attention(Q, K, V):
    out = []
    for i in range(len(Q)):
        w = [math.exp(float(Q[i] @ K[j]) / math.sqrt(Q.shape[1])) for j in range(len(K))]
        total = sum(w[j] for j in range(len(K)) if j != i)
        out.append(sum(w[j] / total * V[j] for j in range(len(K))))
    return np.stack(out)
