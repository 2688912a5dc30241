from collections import deque

import torch


def sliding_window_attention(q, k, v, window):
    """Decoding, token by token, (B, H, S, D): the cache holds the last `window` keys, the current one included."""
    ks, vs, out = deque(maxlen=window), deque(maxlen=window), []
    for t in range(q.shape[2]):
        ks.append(k[:, :, t])
        vs.append(v[:, :, t])
        kk, vv = torch.stack(tuple(ks), 2), torch.stack(tuple(vs), 2)
        s = (kk @ q[:, :, t].unsqueeze(-1)).squeeze(-1) / q.shape[-1] ** 0.5
        out.append((torch.softmax(s, -1).unsqueeze(-2) @ vv).squeeze(-2))
    return torch.stack(out, 2)
