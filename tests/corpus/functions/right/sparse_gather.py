import torch


def longformer_attention(q, k, v, window, global_tokens):
    B, H, S, D = q.shape
    g = torch.tensor(sorted(global_tokens), dtype=torch.long)
    off = torch.arange(-window, window + 1)
    idx = torch.arange(S)[:, None] + off
    ok = (idx >= 0) & (idx < S)
    idx = idx.clamp(0, S - 1)
    ok &= ~torch.isin(idx, g)
    loc = torch.einsum("bhsd,bhswd->bhsw", q, k[:, :, idx]).masked_fill(~ok, float("-inf"))
    glo = q @ k[:, :, g].transpose(-1, -2)
    w = (torch.cat([loc, glo], -1) / D**0.5).softmax(-1)
    out = torch.einsum("bhsw,bhswd->bhsd", w[..., : off.numel()], v[:, :, idx]) + w[..., off.numel() :] @ v[:, :, g]
    out[:, :, g] = (q[:, :, g] @ k.transpose(-1, -2) / D**0.5).softmax(-1) @ v
    return out
