import torch
def label_smoothing_cross_entropy(logits, target, eps=0.1):
    lp = torch.log_softmax(logits, 0)
    C = logits.shape[1]
    t = torch.full_like(lp, eps / C); t[torch.arange(len(target)), target] += 1 - eps
    return -(t * lp).sum(1).mean()
