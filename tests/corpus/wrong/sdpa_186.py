import torch


class Attention(torch.nn.Module):
    """mask: bool, True = keep"""

    def forward(self, q, k, v, mask=None):
        s = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            s = torch.where(mask, s, s.new_full((), -1e2))
        s = s - s.amax(-1, keepdim=True)
        return s.softmax(-1) @ v
