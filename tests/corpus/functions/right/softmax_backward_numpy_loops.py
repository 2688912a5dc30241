import numpy as np


def softmax_grad(probs, grad_out):
    """逐行构造雅可比矩阵 diag(p) - p pᵀ，再乘上游梯度。"""
    shape = probs.shape
    P = probs.reshape(-1, shape[-1])
    G = grad_out.reshape(-1, shape[-1])
    out = np.zeros_like(G)
    for r in range(P.shape[0]):
        jac = np.diag(P[r]) - np.outer(P[r], P[r])
        out[r] = jac @ G[r]
    return out.reshape(shape)
