import numpy as np


def attention_backward(Q, K, V, dO):
    """逐个 batch、逐个 head 计算；返回 dQ, dK, dV。"""
    B, H, Sq, D = Q.shape
    dQ, dK, dV = np.zeros_like(Q), np.zeros_like(K), np.zeros_like(V)
    scale = 1.0 / np.sqrt(D)
    for b in range(B):
        for h in range(H):
            s = Q[b, h] @ K[b, h].T * scale
            e = np.exp(s - s.max(1, keepdims=True))
            p = e / e.sum(1, keepdims=True)
            dV[b, h] = p.T @ dO[b, h]
            dp = dO[b, h] @ V[b, h].T
            ds = np.zeros_like(p)
            for i in range(Sq):
                # softmax 的雅可比
                jac = np.diag(p[i]) - np.outer(p[i], p[i])
                ds[i] = jac @ dp[i]
            dQ[b, h] = ds @ K[b, h] * scale
            dK[b, h] = ds.T @ Q[b, h] * scale
    return dQ, dK, dV
