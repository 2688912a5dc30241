import torch


def gqa(q, k, v, is_causal=False):
    H, Hkv = q.size(1), k.size(1)
    out = []
    for h in range(H):
        s = q[:, h] @ k[:, h * Hkv // H].mT / q.size(-1) ** 0.5
        if is_causal:
            sq, sk = s.shape[-2:]
            s = s + torch.full((sq, sk), float("-inf")).triu(sk - sq + 1).to(s)
        out.append(s.softmax(-1) @ v[:, h * Hkv // H])
    return torch.stack(out, dim=1)
