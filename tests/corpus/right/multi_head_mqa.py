import torch
from torch import nn
class MultiQueryAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.h, self.d = num_heads, hidden_size // num_heads
        self.q = nn.Linear(hidden_size, hidden_size)
        self.k = nn.Linear(hidden_size, self.d)
        self.v = nn.Linear(hidden_size, self.d)
        self.o = nn.Linear(hidden_size, hidden_size)
    def forward(self, hidden_state, attention_mask=None):
        B, S, _ = hidden_state.shape
        q = self.q(hidden_state).view(B, S, self.h, self.d).transpose(1, 2)
        k, v = self.k(hidden_state).unsqueeze(1), self.v(hidden_state).unsqueeze(1)
        s = torch.matmul(q, k.transpose(-1, -2)) / torch.sqrt(torch.tensor(self.d))
        if attention_mask is not None:
            s = s + (1.0 - attention_mask) * torch.finfo(s.dtype).min
        return self.o((torch.softmax(s, -1) @ v).transpose(1, 2).reshape(B, S, -1))
