import torch
from torch import nn


class BertConfig:
    hidden_size = 24
    num_attention_heads = 4
    attention_probs_dropout_prob = 0.1


class SelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.num_attention_heads = config.num_attention_heads
        self.attention_head_size = config.hidden_size // config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)

    def transpose_for_scores(self, t):
        return t.view(*t.shape[:2], self.num_attention_heads, self.attention_head_size).permute(0, 2, 1, 3)

    def forward(self, hidden_states):
        q, k, v = map(self.transpose_for_scores, (self.query(hidden_states), self.key(hidden_states), self.value(hidden_states)))
        probs = self.dropout(nn.functional.softmax(torch.matmul(q, k.transpose(-1, -2)), dim=-1))
        context = torch.matmul(probs, v).permute(0, 2, 1, 3).contiguous()
        return context.view(*hidden_states.shape), probs
