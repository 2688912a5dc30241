import torch


class MultiHeadAttention(torch.nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.load_state_dict(torch.load("weights.pt"))

    def forward(self, x, mask=None):
        return x
