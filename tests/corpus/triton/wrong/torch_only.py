import torch
import triton


def flash_attention(q, k, v, causal=False):
    """Tiles, but no kernel."""
    sq, sk = q.shape[-2], k.shape[-2]
    m = torch.full(q.shape[:-1] + (1,), float("-inf"), device=q.device)
    l = torch.zeros_like(m)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], device=q.device)
    for j in range(0, sk, 32):
        s = q.float() @ k[..., j:j + 32, :].float().transpose(-1, -2) * q.shape[-1] ** -0.5
        if causal:
            later = torch.arange(j, j + s.shape[-1]) > torch.arange(sq)[:, None] + sk - sq
            s = s.masked_fill(later, float("-inf"))
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        ref = new.masked_fill(new == float("-inf"), 0)
        p, a = (s - ref).exp(), (m - ref).exp()
        l, o, m = l * a + p.sum(-1, keepdim=True), o * a + p @ v[..., j:j + 32, :].float(), new
    return (o / l.masked_fill(l == 0, 1)).to(q.dtype)
