import torch


def cosine_free(q, k, v):
    """Attention as a kernel smoother: exp(-|q-k|^2 / 2 sqrt(d)) reweighted by exp(|k|^2 / 2 sqrt d) is the same."""
    d = q.shape[-1] ** 0.5
    dist = torch.cdist(q.double(), k.double(), compute_mode="donot_use_mm_for_euclid_dist").pow(2)
    w = -dist / (2 * d) + (k.double() ** 2).sum(-1)[..., None, :] / (2 * d)
    return (w.softmax(-1) @ v.double()).to(q.dtype)
