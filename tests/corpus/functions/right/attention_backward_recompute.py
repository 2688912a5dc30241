import torch


def attention_grad(q, k, v, do):
    scale = 1.0 / q.shape[-1] ** 0.5
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    lse = torch.logsumexp(q @ k.transpose(-1, -2) * scale, dim=-1, keepdim=True)
    for i in range(0, q.shape[2], 2):
        qi, gi = q[:, :, i : i + 2], do[:, :, i : i + 2]
        p = torch.exp(qi @ k.transpose(-1, -2) * scale - lse[:, :, i : i + 2])
        dv += p.transpose(-1, -2) @ gi
        dp = gi @ v.transpose(-1, -2)
        ds = p * (dp - (p * dp).sum(-1, keepdim=True))
        dq[:, :, i : i + 2] = ds @ k * scale
        dk += ds.transpose(-1, -2) @ qi * scale
    return dq, dk, dv
