import torch


def attend(query, key, value):
    """query (B, H, T, D), key (B, H, S, D), value (B, H, S, E)."""
    b, h, t, d = query.shape
    s = key.shape[-2]
    sc = torch.bmm(query.reshape(b * h, t, d), key.reshape(b * h, s, d).mT)
    sc = sc - sc.max(2, keepdim=True).values
    sc = sc.exp()
    sc = sc / sc.sum(2, keepdim=True)
    return torch.bmm(sc, value.reshape(b * h, s, -1)).unflatten(0, (b, h))
