import torch


def softmax(x: torch.Tensor) -> torch.Tensor:
    """Softmax over the last dimension. x may have any number of dimensions."""
    shifted = x - x.max(dim=0, keepdim=True).values
    e = torch.exp(shifted)
    return e / e.sum(dim=0, keepdim=True)
