import torch

def merge_attention(out_a, lse_a, out_b, lse_b):
    outs, lses = torch.stack([out_a, out_b]), torch.stack([lse_a, lse_b])
    w = torch.softmax(lses, dim=0)
    return (w.unsqueeze(-1) * outs).sum(0), torch.logsumexp(lses, 0)
