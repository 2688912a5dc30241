import torch


class OnlineSoftmax:
    """Running (m, l); masked entries may be -inf."""

    def __init__(self, block_size=8):
        self.block_size = block_size

    def __call__(self, x):
        m = x.new_full(x.shape[:-1], float("-inf"))
        l = x.new_zeros(x.shape[:-1])
        for i in range(0, x.size(-1), self.block_size):
            b = x[..., i : i + self.block_size]
            m_new = torch.maximum(m, b.max(-1).values)
            safe = m_new.masked_fill(m_new.isinf(), 0)
            l = l * (m - safe).exp() + (b - safe[..., None]).exp().sum(-1)
            m = m_new
        return (x - m.masked_fill(m.isinf(), 0)[..., None]).exp() / l.clamp_min(1e-38)[..., None]
