import torch


def half_turned(x):
    left, right = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-right, left), dim=-1)


def apply_rotary_pos_emb(query, key, cos, sin, position_ids=None, unsqueeze_dim=1):
    """query and key (B, H, S, D), cos and sin (B, S, D)"""
    assert cos.ndim == 3
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return query * cos + half_turned(query) * sin, key * cos + half_turned(key) * sin
