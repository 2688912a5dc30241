import torch


def label_smoothing_cross_entropy(logits, target, eps=0.1):
    nll = -logits[torch.arange(logits.shape[0]), target]
    return ((1 - eps) * nll - eps * logits.mean(-1)).mean()
