import torch


class LongformerAttention:
    def __init__(self, window):
        self.window = window

    def __call__(self, q, k, v, global_tokens):
        S = q.shape[-2]
        band = torch.ones(S, S).tril(self.window).triu(-self.window).bool()
        band[list(global_tokens), :] = True
        band[:, list(global_tokens)] = True
        s = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2)
        return s.masked_fill(~band, float("-inf")).softmax(dim=-1) @ v
