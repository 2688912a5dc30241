import torch


def merge_states(prefix_output, prefix_lse, suffix_output, suffix_lse):
    """Outputs (tokens, heads, dim), log-sum-exps (heads, tokens)."""
    top = torch.maximum(prefix_lse, suffix_lse)
    a, b = (prefix_lse - top).exp(), (suffix_lse - top).exp()
    share = (a / (a + b)).transpose(0, 1)[..., None]
    return share * prefix_output + (1 - share) * suffix_output
