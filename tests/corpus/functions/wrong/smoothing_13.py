import torch
def label_smoothing_cross_entropy(logits, target, eps=0.1):
    C = logits.shape[-1]
    logp = torch.log_softmax(logits, -1)
    d = torch.full_like(logp, eps / (C - 1)).scatter_(1, target[:, None], 1 - eps)
    return -(d * logp).sum(-1).mean()
