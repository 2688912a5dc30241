import torch


def attention_with_cache(q, k, v, cache=None):
    """q, k, v: (B, H, T, D), the new tokens. Returns the output and the cache (k, v) of all tokens so far."""
    if cache is not None:
        k, v = torch.cat((cache[0], k), -2), torch.cat((cache[1], v), -2)
    t, n = q.size(-2), k.size(-2)
    scores = q @ k.transpose(-1, -2) * q.size(-1) ** -0.5
    visible = torch.ones(t, n, dtype=torch.bool, device=q.device).tril(n - t)
    weights = torch.softmax(scores.masked_fill(~visible, -torch.inf), dim=-1)
    return weights @ v, (k, v)
