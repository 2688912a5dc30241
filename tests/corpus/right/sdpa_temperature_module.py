import torch
from torch import nn
from torch.nn import functional as F


class Attend(nn.Module):
    def __init__(self, temperature, attn_dropout=0.1):
        super().__init__()
        self.temperature = temperature
        self.dropout = nn.Dropout(attn_dropout)

    def forward(self, q, k, v, mask=None):
        logits = (q / self.temperature) @ k.transpose(2, 3)
        if mask is not None:
            logits = logits.masked_fill(mask == 0, torch.finfo(logits.dtype).min)
        p = self.dropout(F.softmax(logits, dim=-1))
        return p @ v, p


if __name__ == "__main__":
    x = torch.randn(2, 4, 10, 16)
    layer = Attend(temperature=16 ** 0.5).eval()
    y, p = layer(x, x, x)
    print(y.shape, p.sum(-1).mean().item())
