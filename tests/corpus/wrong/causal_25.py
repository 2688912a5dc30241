import torch


class CausalAttend:
    """(B, H, Sq, D), (B, H, Sk, D): bottom-right aligned. Keeps one mask and slices it."""

    mask = torch.zeros(0, 0, dtype=torch.bool)

    def __call__(self, q, k, v):
        sq, sk = q.shape[2], k.shape[2]
        if self.mask.shape[0] < sq or self.mask.shape[1] < sk:
            self.mask = torch.ones(sq, sk, dtype=torch.bool).tril(sk - sq)
        s = q @ k.mT / q.shape[3] ** 0.5
        s = s.masked_fill(~self.mask[:sq, :sk], float("-inf"))
        return torch.softmax(s, dim=-1) @ v


attend = CausalAttend()
