import torch


def attn(Q, K, V, mask=None):
    """One head, one sequence: Q [n, d], K [m, d], V [m, dv]; mask [n, m], True = look."""
    A = torch.einsum("id,jd->ij", Q, K) / Q.shape[1] ** 0.5
    if mask is not None:
        A[~mask] = float("-inf")
    return A.softmax(1) @ V
