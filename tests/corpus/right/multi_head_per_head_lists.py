import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        d = d_model // num_heads
        self.scale = d ** -0.5
        self.q_maps = nn.ModuleList([nn.Linear(d_model, d) for _ in range(num_heads)])
        self.k_maps = nn.ModuleList([nn.Linear(d_model, d) for _ in range(num_heads)])
        self.v_maps = nn.ModuleList([nn.Linear(d_model, d) for _ in range(num_heads)])
        self.merge = nn.Linear(d_model, d_model)

    def forward(self, sequences):
        result = []
        for sequence in sequences:  # (seq, d_model), one sentence after the other
            parts = []
            for fq, fk, fv in zip(self.q_maps, self.k_maps, self.v_maps):
                q, k, v = fq(sequence), fk(sequence), fv(sequence)
                parts.append(torch.softmax(q @ k.T * self.scale, dim=-1) @ v)
            result.append(self.merge(torch.hstack(parts)))
        return torch.stack(result)
