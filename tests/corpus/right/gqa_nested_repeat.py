import torch


def gqa(q, k, v):
    n_rep = q.shape[1] // k.shape[1]

    def repeat_kv(t):
        if n_rep == 1:
            return t
        b, h, s, d = t.shape
        return t[:, :, None].expand(b, h, n_rep, s, d).reshape(b, h * n_rep, s, d)

    k, v = repeat_kv(k), repeat_kv(v)
    attn = torch.matmul(q, k.transpose(2, 3)) / (q.shape[-1] ** 0.5)
    return torch.matmul(torch.softmax(attn, dim=-1), v)
