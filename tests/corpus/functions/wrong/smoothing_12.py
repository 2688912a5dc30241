import torch


def label_smoothing_cross_entropy(logits, target, eps=0.1):
    log_p = torch.log(torch.softmax(logits, -1) + 1e-12)
    nll = -log_p.gather(1, target[:, None]).squeeze(1)
    return ((1 - eps) * nll - eps * log_p.mean(1)).mean()
