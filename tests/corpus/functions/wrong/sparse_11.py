import torch
def longformer_attention(q, k, v, window, global_tokens):
    S = q.shape[2]
    i = torch.arange(S)
    m = (i[:, None] - i[None]).abs() <= window // 2
    g = torch.zeros(S, dtype=torch.bool); g[list(global_tokens)] = True
    m = m | g[None] | g[:, None]
    s = (q @ k.mT / q.shape[-1] ** .5).masked_fill(~m, float("-inf"))
    return s.softmax(-1) @ v
