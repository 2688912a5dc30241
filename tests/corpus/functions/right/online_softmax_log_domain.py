import torch


def softmax_one_pass(row_scores, tile):
    """Running log-sum-exp over tiles of the last axis."""
    lse = torch.full_like(row_scores[..., 0], float("-inf"))
    for piece in torch.split(row_scores, tile, dim=-1):
        lse = torch.logaddexp(lse, torch.logsumexp(piece, dim=-1))
    return torch.exp(row_scores - lse.unsqueeze(-1))
