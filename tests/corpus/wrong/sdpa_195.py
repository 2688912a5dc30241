import torch
import torch.nn.functional as F


class SDPA(torch.nn.Module):
    def __init__(self, p=0.1):
        super().__init__()
        self.p = p

    def forward(self, q, k, v):
        w = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1)
        return F.dropout(w, self.p) @ v
