import torch


def label_smoothing_loss(logits, targets):
    """Label smoothing of 0.1."""
    n, c = logits.shape
    q = torch.full((n, c), 0.1 / c).to(logits)
    q[torch.arange(n), targets] += 0.9
    return -(q * logits.log_softmax(1)).sum(1).mean()
