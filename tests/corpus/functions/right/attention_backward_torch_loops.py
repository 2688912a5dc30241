import torch

def attention_backward(q, k, v, d_out):
    B, H, N, D = q.shape
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for b in range(B):
        for h in range(H):
            Q, K, V, dO = q[b, h], k[b, h], v[b, h], d_out[b, h]
            S = Q @ K.T / D ** 0.5
            P = torch.softmax(S, -1)
            dv[b, h] = P.T @ dO
            dP = dO @ V.T
            dS = P * (dP - (dP * P).sum(-1, keepdim=True)) / D ** 0.5
            dq[b, h] = dS @ K
            dk[b, h] = dS.T @ Q
    return dq, dk, dv
