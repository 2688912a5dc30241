from torch.nn import Module, MultiheadAttention


class CrossAttention(Module):
    def __init__(self, d_model, n_heads, d_context=None):
        super().__init__()
        self.core = MultiheadAttention(d_model, n_heads, kdim=d_context, vdim=d_context, batch_first=True)

    def forward(self, x, context, context_mask=None):
        pad = None if context_mask is None else ~context_mask
        return self.core(x, context, context, key_padding_mask=pad)[0]
