import torch


def attention(q, k, v, valid_lens=None):
    """valid_lens (B,): the first valid_lens[b] keys are real, the rest is padding."""
    s = torch.bmm(q, k.transpose(1, 2)) / q.shape[-1] ** 0.5
    if valid_lens is not None:
        pos = torch.arange(k.shape[1], device=q.device)
        s = s.masked_fill(~(pos <= valid_lens[:, None])[:, None, :], float("-inf"))
    return torch.bmm(torch.softmax(s, dim=-1), v)
