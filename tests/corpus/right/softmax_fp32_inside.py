import torch
from torch import Tensor


def softmax_upcast(input: Tensor, dim: int = -1, dtype: torch.dtype | None = None) -> Tensor:
    """Half inputs are normalised in fp32 and cast back; ``dtype`` overrides what comes out."""
    out_dtype = dtype or input.dtype
    wide = input.float() if input.dtype in (torch.float16, torch.bfloat16) else input
    wide = wide - wide.amax(dim=dim, keepdim=True)
    e = torch.exp(wide)
    return (e / torch.sum(e, dim=dim, keepdim=True)).to(out_dtype)
