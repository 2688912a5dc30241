import torch
import torch.nn.functional as F


def alibi_attn(query, key, value, slopes):
    """slopes: (H,), one a head; causal."""
    sq, sk = query.size(-2), key.size(-2)
    q_pos = torch.arange(sk - sq, sk, device=query.device)
    k_pos = torch.arange(sk, device=query.device)
    dist = (q_pos.unsqueeze(1) - k_pos.unsqueeze(0)).to(query.dtype)
    bias = -slopes.to(query.dtype).view(-1, 1, 1) * dist
    bias = bias.masked_fill(dist < 0, float("-inf"))
    return F.softmax(query @ key.transpose(-1, -2) / query.size(-1) ** 0.5 + bias, dim=-1) @ value
