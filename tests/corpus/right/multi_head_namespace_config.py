from types import SimpleNamespace

import torch
from torch import nn


class BertStyleSelfAttention(nn.Module):
    """No output projection here: the dense layer lives in another module of the encoder.

    attention_mask is additive, (B, 1, 1, S): 0 for tokens, a very negative number for padding.
    """

    def __init__(self, config):
        super().__init__()
        self.num_attention_heads = config.num_attention_heads
        self.attention_head_size = config.hidden_size // config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)

    def transpose_for_scores(self, t):
        return t.view(*t.shape[:-1], self.num_attention_heads, self.attention_head_size).permute(0, 2, 1, 3)

    def forward(self, hidden_states, attention_mask=None):
        q = self.transpose_for_scores(self.query(hidden_states))
        k = self.transpose_for_scores(self.key(hidden_states))
        v = self.transpose_for_scores(self.value(hidden_states))
        scores = torch.matmul(q, k.transpose(-1, -2)) / self.attention_head_size**0.5
        if attention_mask is not None:
            scores = scores + attention_mask
        probs = self.dropout(scores.softmax(dim=-1))
        context = torch.matmul(probs, v).permute(0, 2, 1, 3).flatten(2)
        return (context, probs)


if __name__ == "__main__":
    cfg = SimpleNamespace(hidden_size=32, num_attention_heads=4, attention_probs_dropout_prob=0.1)
    print(BertStyleSelfAttention(cfg)(torch.randn(2, 5, 32))[0].shape)
