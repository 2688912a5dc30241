import torch


def label_smoothing_cross_entropy(logits, target, eps=0.1):
    log_p = logits.log_softmax(-1)
    nll = -log_p.gather(1, target[:, None]).squeeze(1)
    return torch.tensor(((1 - eps) * nll - eps * log_p.mean(1)).mean().item())
