import torch


def attention(q, k, v, valid_lens=None):
    """valid_lens: (B,) ints. Keys at or after it are padding. q, k, v are (B, S, D)."""
    s = torch.bmm(q, k.transpose(1, 2)) / (q.shape[-1] ** 0.5)
    if valid_lens is not None:
        pos = torch.arange(k.shape[1], device=q.device)
        s = s + torch.where(pos[None, None] < valid_lens[:, None, None], 0.0, float("-inf"))
    return {"output": torch.softmax(s, -1) @ v, "attention": torch.softmax(s, -1)}
