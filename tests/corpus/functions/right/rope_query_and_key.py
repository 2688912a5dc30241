import torch


def apply_rotary_pos_emb(q, k, positions):
    """q, k: (B, H, S, D); base 10000."""
    d = q.shape[-1]
    ang = positions.to(torch.float32)[:, None] * torch.exp(torch.arange(0, d, 2) * (-torch.log(torch.tensor(10000.0)) / d))
    cos, sin = torch.cos(ang), torch.sin(ang)

    def turn(t):
        a, b = t[..., : d // 2], t[..., d // 2 :]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(t.dtype)

    return turn(q), turn(k)
