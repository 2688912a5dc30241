import torch


def flash_backward(Q, K, V, O, L, dO, Bc=16):
    """Q (N, d), K and V (M, d), L (N, 1)."""
    scale = 1 / Q.shape[1] ** 0.5
    D = (dO * O).sum(1, keepdim=True)
    dQ = torch.zeros_like(Q)
    dK, dV = torch.zeros_like(K), torch.zeros_like(V)
    for j in range(0, K.shape[0], Bc):
        P = torch.exp(Q @ K[j:j + Bc].T * scale - L)
        dV[j:j + Bc] = P.T @ dO
        dS = P * (dO @ V[j:j + Bc].T - D)
        dK[j:j + Bc] = dS.T @ (Q * scale) * scale
        dQ += dS @ K[j:j + Bc] * scale
    return dQ, dK, dV
