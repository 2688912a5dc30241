import torch
from torch import nn


class T5Attention(nn.Module):
    """T5 attention without its relative bias.

    T5 does not divide by sqrt(d_kv): the factor is in the initialisation of q. No biases.
    """

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.n_heads = num_heads
        self.d_kv = d_model // num_heads
        self.q = nn.Linear(d_model, d_model, bias=False)
        self.k = nn.Linear(d_model, d_model, bias=False)
        self.v = nn.Linear(d_model, d_model, bias=False)
        self.o = nn.Linear(d_model, d_model, bias=False)
        nn.init.normal_(self.q.weight, std=(d_model * self.d_kv) ** -0.5)

    def forward(self, hidden_states):
        b, n, c = hidden_states.shape
        q, k, v = (f(hidden_states).view(b, n, self.n_heads, self.d_kv).transpose(1, 2) for f in (self.q, self.k, self.v))
        scores = torch.matmul(q, k.transpose(3, 2))  # unscaled, as T5 does
        weights = scores.float().softmax(dim=-1).type_as(scores)
        return self.o(torch.matmul(weights, v).transpose(1, 2).reshape(b, n, c))
