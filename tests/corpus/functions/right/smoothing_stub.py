# coach: label-smoothing
import torch


def label_smoothing_cross_entropy(logits: torch.Tensor, target: torch.Tensor, eps: float = 0.1) -> torch.Tensor:
    log_p = logits - logits.logsumexp(-1, keepdim=True)
    nll = -log_p.gather(-1, target[:, None])[:, 0]
    return ((1 - eps) * nll - eps * log_p.mean(-1)).mean()
