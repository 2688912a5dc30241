import torch


def gqa(q, k, v, is_causal=False):
    """Each key/value head in turn serves its run of consecutive query heads. q (B,H,S,D)."""
    outs = [None] * q.shape[1]
    g = q.shape[1] // k.shape[1]
    for h in range(q.shape[1]):
        s = torch.bmm(q[:, h], k[:, h // g].transpose(1, 2)) * q.shape[-1] ** -0.5
        if is_causal:
            n, m = s.shape[-2:]
            s = s + torch.full((n, m), float("-inf")).triu(m - n + 1)
        outs[h] = torch.bmm(s.softmax(-1).nan_to_num(), v[:, h // g])
    return torch.stack(outs, 1)
