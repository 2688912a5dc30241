import torch
import torch.nn.functional as F


def linear_attention(q, k, v, causal=False, chunk_size=4):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    v1 = torch.cat([v, torch.ones_like(v[..., :1])], dim=-1)
    if not causal:
        o = q @ (k.transpose(-2, -1) @ v1)
    else:
        state, parts = 0, []
        for qc, kc, vc in zip(q.split(chunk_size, 2), k.split(chunk_size, 2), v1.split(chunk_size, 2)):
            inside = torch.tril(qc @ kc.transpose(-2, -1)) @ vc
            parts.append(inside + (qc @ state if torch.is_tensor(state) else 0))
            state = state + kc.transpose(-2, -1) @ vc
        o = torch.cat(parts, dim=2)
    return o[..., :-1] / o[..., -1:]
