import torch


def flash_attention_backward(Q, K, V, O, dO, l, m, block_size=16):
    """Algorithm 4 of FlashAttention; l is the row sum, m the row maximum."""
    tau = Q.shape[-1] ** -0.5
    dQ, dK, dV = torch.zeros_like(Q), torch.zeros_like(K), torch.zeros_like(V)
    O.mul_(dO)
    D = O.sum(-1, keepdim=True)
    for j in range(0, K.shape[2], block_size):
        Kj, Vj = K[:, :, j:j + block_size], V[:, :, j:j + block_size]
        for i in range(0, Q.shape[2], block_size):
            t = slice(i, i + block_size)
            S = tau * torch.matmul(Q[:, :, t], Kj.transpose(2, 3))
            P = torch.exp(S - m[:, :, t, None]) / l[:, :, t, None]
            dV[:, :, j:j + block_size] += torch.matmul(P.transpose(2, 3), dO[:, :, t])
            dP = torch.matmul(dO[:, :, t], Vj.transpose(2, 3))
            dS = P * (dP - D[:, :, t])
            dQ[:, :, t] += tau * torch.matmul(dS, Kj)
            dK[:, :, j:j + block_size] += tau * torch.matmul(dS.transpose(2, 3), Q[:, :, t])
    return dQ, dK, dV
