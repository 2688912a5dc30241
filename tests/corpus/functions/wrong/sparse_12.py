import torch
def longformer_attention(q, k, v, window, global_tokens):
    S = q.shape[2]
    i = torch.arange(S)
    d = i[:, None] - i[None]
    m = (d >= 0) & (d <= window)
    g = torch.zeros(S, dtype=torch.bool); g[list(global_tokens)] = True
    m = m | g[None] | g[:, None]
    return (q @ k.mT / q.shape[-1] ** .5).masked_fill(~m, -torch.inf).softmax(-1) @ v
