import numpy as np


def dot_product_attention(queries, keys, values):
    """(batch, n, d), (batch, m, d), (batch, m, dv) -> (batch, n, dv)"""
    d = queries.shape[2]
    energy = np.einsum("bnd,bmd->bnm", queries, keys) / np.sqrt(d).astype(queries.dtype)
    energy -= energy.max(axis=2, keepdims=True)
    w = np.exp(energy)
    w /= w.sum(axis=2, keepdims=True)
    return np.einsum("bnm,bmv->bnv", w, values)
