import torch


def precompute_freqs_cis(dim, end, theta=10000.0):
    speeds = 1.0 / theta ** (torch.arange(0, dim, 2).float() / (dim // 2))
    angles = torch.outer(torch.arange(end).float(), speeds)
    return torch.polar(torch.ones_like(angles), angles)


def apply_rotary_emb(xq, xk, freqs_cis):
    q = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2)) * freqs_cis[:, None]
    k = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2)) * freqs_cis[:, None]
    return torch.view_as_real(q).flatten(3).type_as(xq), torch.view_as_real(k).flatten(3).type_as(xk)
