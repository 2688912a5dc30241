import torch
from torch import nn
import torch.nn.functional as F


class LabelSmoothingLoss(nn.Module):
    def __init__(self, smoothing=0.1):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, pred, target):
        logp = F.log_softmax(pred, dim=-1)
        nll = F.nll_loss(logp, target, reduction="mean")
        smooth = -logp.mean(dim=-1).mean()
        return (1 - self.smoothing) * nll + self.smoothing * smooth
