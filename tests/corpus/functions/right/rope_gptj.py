import torch

def apply_rope(x, positions, base=10000.0):
    """GPT-J style: interleaved pairs (x[2i], x[2i+1])"""
    d = x.shape[-1]
    inv = base ** (-torch.arange(0, d, 2, dtype=torch.float32) / d)
    ang = positions[..., None].float() * inv
    if ang.dim() == 3:
        ang = ang[:, None]
    c, s = ang.cos().repeat_interleave(2, -1), ang.sin().repeat_interleave(2, -1)
    x2 = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
    return (x * c + x2 * s).to(x.dtype)
