"""Softmax for very wide rows: two sweeps over chunks, the whole exp is never kept twice."""
import torch


def chunked_softmax(x, chunk_size=4):
    running_max = None
    running_sum = None
    for part in torch.split(x, chunk_size, dim=-1):
        local = part.amax(-1, keepdim=True)
        new_max = local if running_max is None else torch.maximum(running_max, local)
        safe = new_max.masked_fill(new_max == float("-inf"), 0.0)
        part_sum = torch.exp(part - safe).sum(-1, keepdim=True)
        if running_sum is None:
            running_sum = part_sum
        else:
            running_sum = running_sum * torch.exp(running_max - safe) + part_sum
        running_max = new_max
    safe = running_max.masked_fill(running_max == float("-inf"), 0.0)
    pieces = [torch.exp(part - safe) / running_sum for part in torch.split(x, chunk_size, dim=-1)]
    return torch.cat(pieces, dim=-1)
