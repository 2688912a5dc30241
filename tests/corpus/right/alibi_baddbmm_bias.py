import math
import torch


def get_slopes(n):
    def power_of_2(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start ** i for i in range(n)]
    if math.log2(n).is_integer():
        return power_of_2(n)
    c = 2 ** math.floor(math.log2(n))
    return power_of_2(c) + get_slopes(2 * c)[0::2][: n - c]


class ALiBi(torch.nn.Module):
    """baddbmm as in BLOOM: bias is per key position, (B*H, 1, Sk)."""

    def forward(self, query, key, value):
        b, h, s, d = query.shape
        t = key.shape[2]
        slopes = torch.tensor(get_slopes(h), dtype=query.dtype)
        alibi = (slopes[:, None] * torch.arange(t)).repeat(b, 1)[:, None]
        w = alibi.baddbmm(batch1=query.reshape(b * h, s, d), batch2=key.reshape(b * h, t, d).mT, beta=1.0, alpha=1 / math.sqrt(d))
        w = w.masked_fill(torch.ones(s, t, dtype=torch.bool).triu(t - s + 1), torch.finfo(w.dtype).min)
        return torch.bmm(w.softmax(-1), value.reshape(b * h, t, -1)).view(b, h, s, -1)
