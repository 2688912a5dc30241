import torch


def attention(values, keys, query, mask=None):
    """Argument order: values, keys, query. All are (N, heads, length, head_dim); mask 0 = hidden."""
    energy = torch.einsum("nhqd,nhkd->nhqk", [query, keys])
    if mask is not None:
        energy = energy.masked_fill(mask == 0, float("-inf"))
    alpha = torch.softmax(energy / (query.shape[-1] ** (1 / 2)), dim=3)
    return torch.einsum("nhql,nhld->nhqd", [alpha, values])
