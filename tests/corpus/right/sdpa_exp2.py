import torch

_LOG2_E = 1.4426950408889634


def attention(xq, xk, xv, mask=None):
    """xq (B, H, Sq, D), xk (B, H, Sk, D), xv (B, H, Sk, Dv); boolean mask, True keeps a key.

    The scale carries log2(e), the exponential is base 2.
    """
    t = torch.einsum("...qd,...kd->...qk", xq * (_LOG2_E * xq.shape[-1] ** -0.5), xk)
    if mask is not None:
        t = torch.where(mask, t, float("-inf"))
    hi = t.amax(-1, keepdim=True)
    hi = torch.where(hi.isinf(), torch.zeros_like(hi), hi)
    p = torch.exp2(t - hi)
    z = p.sum(-1, keepdim=True)
    return (p @ xv) / torch.where(z > 0, z, torch.ones_like(z))
