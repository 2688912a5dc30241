import torch


def compute_attention(query, key, value, mask=None, return_weights=True):
    """mask: bool, True where attention is allowed.

    Returns {"output": ..., "weights": ...} or, with return_weights=False, only the output.
    """
    sim = torch.einsum("bhid,bhjd->bhij", query, key).div(query.size(-1) ** 0.5)
    if mask is not None:
        sim = torch.where(mask, sim, torch.tensor(-torch.inf, dtype=sim.dtype, device=sim.device))
    weights = torch.nn.Softmax(dim=-1)(sim)
    output = torch.einsum("bhij,bhjd->bhid", weights, value)
    return {"output": output, "weights": weights} if return_weights else output
