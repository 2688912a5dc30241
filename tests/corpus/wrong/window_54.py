import torch


def sliding_window_attention(q, k, v, window):
    n, m = q.size(2), k.size(2)
    hide = torch.ones(n, m, dtype=torch.bool).triu(m - n + 1) & ~torch.ones(n, m, dtype=torch.bool).triu(m - n - window + 1)
    hide = hide | torch.ones(n, m, dtype=torch.bool).triu(m - n + 1)
    s = (q @ k.mT * q.shape[-1] ** -0.5).masked_fill(hide, -torch.inf)
    return s.softmax(-1).nan_to_num() @ v
