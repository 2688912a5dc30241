import torch


def alibi_self_attention(Q, K, V):
    H = Q.shape[1]
    L = Q.shape[2]
    S = K.shape[2]
    m = torch.pow(torch.tensor(2.0), -torch.linspace(8 / H, 8, H))
    rel = torch.arange(S).expand(L, S) - torch.arange(S - L, S).unsqueeze(-1)
    A = Q @ K.transpose(2, 3) / Q.shape[3] ** 0.5
    A = A + m.to(A)[:, None, None] * rel.to(A)
    A = A + torch.where(rel > 0, -torch.inf, 0.0).to(A)
    P = torch.softmax(A, 3)
    return P @ V, P
