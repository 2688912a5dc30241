import math
import torch
from torch import nn
class BertSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n, self.c = config.num_attention_heads, config.hidden_size
        self.query = nn.Linear(self.c, self.c); self.key = nn.Linear(self.c, self.c); self.value = nn.Linear(self.c, self.c)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)
    def forward(self, hidden_states, attention_mask=None, head_mask=None, encoder_hidden_states=None, encoder_attention_mask=None, past_key_value=None, output_attentions=False):
        src = hidden_states if encoder_hidden_states is None else encoder_hidden_states
        m = attention_mask if encoder_hidden_states is None else encoder_attention_mask
        B = hidden_states.shape[0]
        sp = lambda t: t.view(B, -1, self.n, self.c // self.n).permute(0, 2, 1, 3)
        q, k, v = sp(self.query(hidden_states)), sp(self.key(src)), sp(self.value(src))
        s = q @ k.transpose(-1, -2) / math.sqrt(self.c // self.n)
        if m is not None:
            s = s + m
        p = self.dropout(s.softmax(-1))
        if head_mask is not None:
            p = p * head_mask
        o = (p @ v).permute(0, 2, 1, 3).reshape(B, -1, self.c)
        return (o, p) if output_attentions else (o,)
