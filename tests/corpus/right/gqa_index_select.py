import torch


def gqa_forward(query, key, value):
    heads, kv = query.size(1), key.size(1)
    which = torch.arange(heads).div(heads // kv, rounding_mode="floor")
    key = key.index_select(1, which)
    value = value.index_select(1, which)
    s = torch.matmul(query, key.permute(0, 1, 3, 2)).mul_(query.size(3) ** -0.5)
    s = torch.exp(s - s.amax(-1, keepdim=True))
    return torch.matmul(s / s.sum(-1, keepdim=True), value)
