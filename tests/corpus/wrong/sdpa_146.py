import torch


def attention(q, k, v):
    # 序列在前: (S, B, D)
    logits = torch.einsum("ibd,jbd->ijb", q, k) * q.shape[-1] ** -0.5
    w = torch.softmax(logits, dim=0)
    return torch.einsum("ijb,jbd->ibd", w, v)
