# coach: flash-forward
import math
import torch


def flash_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool = False, block_size: int = 64
) -> tuple[torch.Tensor, torch.Tensor]:
    """Attention softmax(q k^T / sqrt(D)) v by tiles: the S x S scores are never held at once.

    q: (B, H, Sq, D), k: (B, H, Sk, D), v: (B, H, Sk, Dv). Sq and Sk need not be equal, nor multiples of block_size.
    causal: query i sees keys j <= i + Sk - Sq (aligned to the bottom right).
    Extra memory grows with S, not with S squared; a boolean mask of S x S counts, too.
    Returns out (B, H, Sq, Dv), and lse (B, H, Sq): the natural log of the sum of exp(scaled scores) over the keys.
    A query that sees no key gives 0 and an lse of -inf.
    """
    b, h, n, d = q.shape
    nk = k.shape[2]
    out = q.new_zeros(b, h, n, v.shape[-1])
    lse = q.new_zeros(b, h, n)
    for i in range(0, n, block_size):
        qi = q[:, :, i : i + block_size] / math.sqrt(d)
        m = q.new_full(qi.shape[:3], float('-inf'))
        l = torch.zeros_like(m)
        acc = q.new_zeros(*qi.shape[:3], v.shape[-1])
        for j in range(0, nk, block_size):
            s = qi @ k[:, :, j : j + block_size].transpose(-2, -1)
            if causal:
                r = torch.arange(i, i + qi.shape[2])[:, None] + nk - n
                s = s.masked_fill(torch.arange(j, j + s.shape[-1]) > r, float('-inf'))
            new = torch.maximum(m, s.amax(-1))
            safe = torch.where(new == float('-inf'), torch.zeros_like(new), new)
            a = (m - safe).exp()
            p = (s - safe[..., None]).exp()
            l = l * a + p.sum(-1)
            acc = acc * a[..., None] + p @ v[:, :, j : j + block_size]
            m = new
        out[:, :, i : i + block_size] = torch.where(l[..., None] > 0, acc / l[..., None], torch.zeros_like(acc))
        lse[:, :, i : i + block_size] = m + l.log()
    return out
