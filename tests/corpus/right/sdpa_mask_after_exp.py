import torch


def masked_attention(q, k, v, mask=None):
    """The mask multiplies the exponentials *before* they are normalised, so rows still sum to 1.

    mask: 1 / 0 of any dtype, 1 = visible, broadcastable to (B, H, Sq, Sk).
    """
    s = q @ k.transpose(-1, -2) * (1.0 / q.shape[-1] ** 0.5)
    if mask is None:
        mask = torch.ones_like(s)
    keep = mask.to(s.dtype)
    # only visible scores decide the shift; hidden ones are clipped so that exp cannot overflow
    low = torch.finfo(s.dtype).min
    shift = torch.where(keep > 0, s, torch.full_like(s, low)).amax(-1, keepdim=True).detach()
    e = torch.exp(torch.where(keep > 0, s - shift, torch.zeros_like(s))) * keep
    total = e.sum(-1, keepdim=True)
    return (e @ v) / (total + (total == 0).to(total.dtype))
