import torch


def self_attention(x, w_query, w_key, w_value):
    """x (n, d_in); weights (d_in, d_out) used as x @ w. Prints nothing, returns context vectors (n, d_out)."""
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    omega = queries @ keys.T
    return torch.softmax(omega / keys.shape[-1] ** 0.5, dim=-1) @ values
