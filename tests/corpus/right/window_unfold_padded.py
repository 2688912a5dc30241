import torch


def sliding_window_attention(q, k, v, window):
    """unfold based: every query gathers its own `window` keys."""
    B, H, S, D = q.shape
    assert k.shape[2] == S
    pad = window - 1
    kp = torch.nn.functional.pad(k, (0, 0, pad, 0)).unfold(2, window, 1)      # B H S D W
    vp = torch.nn.functional.pad(v, (0, 0, pad, 0)).unfold(2, window, 1)
    s = torch.einsum("bhsd,bhsdw->bhsw", q, kp) / D ** 0.5
    real = torch.arange(S)[:, None] - pad + torch.arange(window)[None] >= 0
    s = s.masked_fill(~real, float("-inf"))
    return torch.einsum("bhsw,bhsdw->bhsd", s.softmax(-1), vp)
