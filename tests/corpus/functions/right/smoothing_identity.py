import torch


def label_smoothing_cross_entropy(logits, target, eps=0.1):
    lse = torch.logsumexp(logits, dim=1)
    expected = (1 - eps) * logits[torch.arange(len(target)), target] + eps * logits.mean(1)
    return (lse - expected).mean()
