import torch


def attention_with_padding(query, key, value, key_padding_mask=None):
    """(B, H, S, D) tensors; key_padding_mask (B, Sk), True marks padding as in torch.nn."""
    weights = query @ key.mT / query.shape[-1] ** 0.5
    if key_padding_mask is not None:
        weights = weights.masked_fill(key_padding_mask[:, None, None, :], -torch.inf)
    weights = weights - weights.amax(dim=-1, keepdim=True).detach()
    weights = weights.exp()
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ value
