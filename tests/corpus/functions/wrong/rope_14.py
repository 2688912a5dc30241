import torch
def apply_rope(x, positions, base=10000.0):
    """x[i] pairs with x[i + D/2]"""
    d = x.shape[-1]
    inv = base ** (-torch.arange(0, d, 2).float() / d)
    ang = positions[..., None].float() * inv
    ang = ang[:, None] if ang.dim() == 3 else ang
    c, s = ang.cos().repeat_interleave(2, -1), ang.sin().repeat_interleave(2, -1)
    r = torch.cat([-x[..., d // 2:], x[..., :d // 2]], -1)
    return x * c + r * s
