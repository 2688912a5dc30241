import torch


def linear_attn(queries, keys, values, eps=1e-6):
    """N L H D, as in the paper's code."""
    Q = torch.nn.functional.elu(queries) + 1
    K = torch.nn.functional.elu(keys) + 1
    KV = torch.einsum("nshd,nshm->nhmd", K, values)
    Z = 1 / (torch.einsum("nlhd,nhd->nlh", Q, K.sum(dim=1)) + eps)
    return torch.einsum("nlhd,nhmd,nlh->nlhm", Q, KV, Z).contiguous()
