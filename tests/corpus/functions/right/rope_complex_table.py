import torch


def rotation_table(dim: int, end: int, theta: float = 10000.0) -> torch.Tensor:
    """One complex number of length 1 for each position and each pair of channels."""
    speeds = theta ** (-torch.arange(0, dim, 2).float() / dim)
    angles = torch.outer(torch.arange(end).float(), speeds)
    return torch.polar(torch.ones_like(angles), angles)


def turn(xq: torch.Tensor, xk: torch.Tensor, freqs_cis: torch.Tensor):
    """xq and xk of shape (batch, seq, heads, dim)."""

    def one(x):
        pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2).contiguous())
        return torch.view_as_real(pairs * freqs_cis[:, None]).flatten(-2).type_as(x)

    return one(xq), one(xk)


apply_rotary_emb = turn
