import torch


def masked_softmax(X, valid_lens):
    """valid_lens: (B,), keys at or beyond the length get no weight"""
    if valid_lens is None:
        return torch.softmax(X, dim=-1)
    B, Q, K = X.shape
    lens = valid_lens.repeat(Q)                       # one length a row
    flat = X.reshape(-1, K)
    dead = torch.arange(K)[None, :] >= lens[:, None]
    flat = flat.masked_fill(dead, -6e4)
    return torch.softmax(flat.reshape(B, Q, K), dim=-1)


def dot_attention(queries, keys, values, valid_lens=None):
    d = queries.shape[-1]
    scores = torch.bmm(queries, keys.transpose(1, 2)) / d ** 0.5
    return torch.bmm(masked_softmax(scores, valid_lens), values)
