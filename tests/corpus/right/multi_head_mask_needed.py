import math

from torch import nn


class EncoderSelfAttention(nn.Module):
    """The extended mask is always handed over: 0 for tokens that count, a very negative number for padding."""

    def __init__(self, config):
        super().__init__()
        self.heads = config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)
        self.is_decoder = config.is_decoder

    def split(self, t):
        return t.view(*t.shape[:2], self.heads, -1).permute(0, 2, 1, 3)

    def forward(self, hidden_states, attention_mask):
        q, k, v = (
            self.split(self.query(hidden_states)),
            self.split(self.key(hidden_states)),
            self.split(self.value(hidden_states)),
        )
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1)) + attention_mask
        probabilities = self.dropout(nn.functional.softmax(scores, dim=-1))
        return (probabilities @ v).permute(0, 2, 1, 3).flatten(2)
