import torch


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Softmax over ``dim``. Logits may be of any size; ``-inf`` entries get probability 0.

    A slice that holds nothing but ``-inf`` becomes all zeros.
    """
    top = x.amax(dim=dim, keepdim=True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    num = torch.exp(x - top)
    den = num.sum(dim=dim, keepdim=True)
    return num / torch.where(den == 0, torch.ones_like(den), den)
