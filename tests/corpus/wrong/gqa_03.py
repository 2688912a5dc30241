import torch


def expand_kv(x, n_rep):
    b, h, s, d = x.shape
    return x[:, None].expand(b, n_rep, h, s, d).reshape(b, n_rep * h, s, d)


def gqa(q, k, v):
    n_rep = q.size(1) // k.size(1)
    k, v = expand_kv(k, n_rep), expand_kv(v, n_rep)
    a = torch.matmul(q, k.transpose(2, 3)) * q.size(-1) ** -0.5
    return torch.matmul(a.softmax(-1), v)
