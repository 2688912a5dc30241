import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.Wq, self.Wk, self.Wv = (nn.Linear(d_model, d_model) for _ in range(3))
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, X):
        b, t, c = X.shape
        Q, K, V = (w(X).view(b, t, self.num_heads, self.head_dim).transpose(1, 2) for w in (self.Wq, self.Wk, self.Wv))
        weights = torch.softmax(Q @ K.mT / self.head_dim**0.5, -1)
        return self.out_proj((weights @ V).transpose(1, 2).reshape(b, t, c))


class Layer(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.ffn = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.ffn(self.norm2(x))


class Transformer(nn.Module):
    def __init__(self, d_model, num_heads, num_layers):
        super().__init__()
        self.blocks = nn.ModuleList([Layer(d_model, num_heads) for _ in range(num_layers)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def compare(batch_size=2, seq_len=16, d_model=32, device="cpu"):
    x = torch.randn(batch_size, seq_len, d_model, device=device)
    return MultiHeadAttention(d_model, 4)(x), Transformer(d_model, 4, 2)(x)


model = Transformer(d_model=32, num_heads=4, num_layers=2)
print(model(torch.randn(2, 5, 32)).shape)
