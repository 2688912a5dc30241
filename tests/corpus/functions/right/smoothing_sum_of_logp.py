import torch
import torch.nn.functional as F


class LabelSmoothedCE(torch.nn.Module):
    def __init__(self, eps=0.1, reduction="mean"):
        super().__init__()
        self.eps, self.reduction = eps, reduction

    def forward(self, logits, target):
        C = logits.size(-1)
        lp = F.log_softmax(logits, -1)
        loss = -lp.sum(-1)
        if self.reduction == "mean":
            loss = loss.mean()
        return self.eps * loss / C + (1 - self.eps) * F.nll_loss(lp, target, reduction=self.reduction)
