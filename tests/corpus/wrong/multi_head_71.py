from torch import nn


class SlicedAttention(nn.Module):
    def __init__(self, embed_size, heads):
        super().__init__()
        self.heads = heads
        width = embed_size // heads
        self.to_query, self.to_key, self.to_value = (nn.Linear(width, width, bias=False) for _ in range(3))
        self.merge = nn.Linear(embed_size, embed_size)

    def slices(self, t):
        return t.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, mask=None):
        q, k, v = self.to_query(self.slices(x)), self.to_key(self.slices(x)), self.to_value(self.slices(x))
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        return self.merge((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
