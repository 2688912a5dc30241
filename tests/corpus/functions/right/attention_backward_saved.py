import torch


def attention_backward(dout, q, k, v, out, p):
    """dout first; out and p saved from the forward pass."""
    D = (dout * out).sum(dim=-1, keepdim=True)
    dv = torch.matmul(p.transpose(-2, -1), dout)
    ds = p * (torch.matmul(dout, v.transpose(-2, -1)) - D) / q.shape[-1] ** 0.5
    return torch.matmul(ds, k), torch.matmul(ds.transpose(-2, -1), q), dv
