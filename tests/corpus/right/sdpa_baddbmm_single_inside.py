import torch


def attention(q, k, v, mask: "torch.Tensor | None" = None):
    """mask: (B, Sk) bool, True = valid key; a query never sees an invalid one. q (B, S, D)"""
    s = torch.baddbmm(torch.empty(1, 1, 1), q, k.mT, beta=0, alpha=q.shape[-1] ** -0.5)
    if mask is not None:
        s = torch.where(mask[:, None, :], s, float("-inf"))
    return s.softmax(-1) @ v
