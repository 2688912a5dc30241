import torch


def rotate_matrix(D, pos, base):
    R = torch.zeros(D, D)
    for i in range(D // 2):
        t = torch.tensor(float(pos) * base ** (-2 * i / D))
        R[i, i] = R[i + D // 2, i + D // 2] = torch.cos(t)
        R[i, i + D // 2] = -torch.sin(t)
        R[i + D // 2, i] = torch.sin(t)
    return R


def apply_rope(x, positions, base=10000.0):
    B, H, S, D = x.shape
    positions = positions.expand(B, S)
    out = torch.empty_like(x)
    for b in range(B):
        for s in range(S):
            out[b, :, s] = x[b, :, s] @ rotate_matrix(D, positions[b, s], base).T.to(x.dtype)
    return out
