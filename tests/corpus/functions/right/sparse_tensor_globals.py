import torch


def sparse_attention(query, key, value, window_size, global_idx):
    pos = torch.arange(query.size(2))
    glob = torch.isin(pos, global_idx)
    near = (pos.unsqueeze(1) - pos.unsqueeze(0)).abs().le(window_size)
    allowed = near | glob.unsqueeze(0) | glob.unsqueeze(1)
    bias = torch.zeros(allowed.shape).masked_fill(~allowed, float("-inf")).to(query.dtype)
    return (query @ key.transpose(-1, -2) / query.size(-1) ** 0.5 + bias).softmax(-1) @ value
