import torch
import torch.nn as nn

class CrossAttention(nn.Module):
    def __init__(self, dim_q, dim_kv, num_heads, dim_head):
        super().__init__()
        self.h = num_heads
        self.Wq = nn.Parameter(torch.randn(num_heads, dim_q, dim_head) * 0.1)
        self.Wk = nn.Parameter(torch.randn(num_heads, dim_kv, dim_head) * 0.1)
        self.Wv = nn.Parameter(torch.randn(num_heads, dim_kv, dim_head) * 0.1)
        self.Wo = nn.Parameter(torch.randn(num_heads, dim_head, dim_q) * 0.1)

    def forward(self, x, ctx):
        q = torch.einsum("bsc,hcd->bhsd", x, self.Wq)
        k = torch.einsum("btc,hcd->bhtd", ctx, self.Wk)
        v = torch.einsum("btc,hcd->bhtd", ctx, self.Wv)
        a = torch.einsum("bhsd,bhtd->bhst", q, k).mul(q.shape[-1] ** -0.5).softmax(-1)
        return torch.einsum("bhst,bhtd,hdc->bsc", a, v, self.Wo)
