import torch
from torch import nn


class StableSoftmax(nn.Module):
    """Drop-in for a softmax layer; the axis is fixed when the layer is made."""

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, logits: torch.Tensor) -> torch.Tensor:
        # the shift needs no gradient: softmax does not change when all logits move together
        shift = logits.detach().max(dim=self.dim, keepdim=True).values
        z = (logits - shift).exp()
        return z.div(z.sum(dim=self.dim, keepdim=True))

    def extra_repr(self) -> str:
        return f"dim={self.dim}"
