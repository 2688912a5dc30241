import torch
import torch.nn.functional as F


def mqa(q, k, v):
    """Multi-query attention: k, v have one head, which broadcasts over those of q."""
    w = F.softmax(q.matmul(k.mT) * (q.size(-1) ** -0.5), dim=-1)
    return w.matmul(v)
