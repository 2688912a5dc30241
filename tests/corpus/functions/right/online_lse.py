import torch


def online_softmax(logits, block_size):
    lse = None
    for block in torch.split(logits, block_size, dim=-1):
        part = torch.logsumexp(block, dim=-1, keepdim=True)
        lse = part if lse is None else torch.logaddexp(lse, part)
    return torch.exp(logits - lse)
