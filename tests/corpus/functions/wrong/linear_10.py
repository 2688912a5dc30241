import torch
import torch.nn.functional as F


def linear_attention(q, k, v, causal=False):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    if not causal:
        return q @ (k.mT @ v) / (q @ k.sum(-2)[..., None])
    outs = []
    for i in range(0, q.shape[2], 4):
        w = (q[:, :, i : i + 4] @ k[:, :, i : i + 4].mT).tril()
        outs.append(w @ v[:, :, i : i + 4] / w.sum(-1, keepdim=True))
    return torch.cat(outs, 2)
