import torch
import torch.nn as nn


def attention(q, k, v):
    b, h, n, d = q.shape
    mha = nn.MultiheadAttention(d, 1, bias=False, vdim=v.shape[-1], kdim=d, batch_first=True).to(q.dtype)
    eye = torch.eye(d, dtype=q.dtype)
    for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight", "in_proj_weight"):
        w = getattr(mha, name, None)
        if w is not None:
            w.data = torch.cat([eye] * 3) if name.startswith("in") else eye
    mha.out_proj.weight.data = eye
    out, _ = mha(q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1), need_weights=False)
    return out.reshape(b, h, n, d)
