import torch
import torch.nn.functional as F


def rel_free_attn(w_head_q, w_head_k, w_head_v, attn_mask=None):
    """Time-major attention in the style of recurrent language models.

    w_head_*: qlen x bsz x n_head x d_head. Scores are qlen x klen x bsz x n_head,
    hence the softmax over dim 1. attn_mask: qlen x klen, nonzero = may NOT look.
    """
    d_head = w_head_q.size(-1)
    score = torch.einsum("ibnd,jbnd->ijbn", w_head_q, w_head_k)
    score.mul_(d_head ** -0.5)
    if attn_mask is not None:
        score = score.masked_fill(attn_mask.bool()[:, :, None, None], -float("inf"))
    prob = F.softmax(score, dim=1)
    return torch.einsum("ijbn,jbnd->ibnd", prob, w_head_v)
