import torch
import torch.nn.functional as F
# functional decode attention with a preallocated cache, in place

def update_and_attend(q, k, v, k_cache, v_cache, pos):
    """q, k, v: (B, H, T, D); k_cache, v_cache: (B, H, max_len, D), written at pos .. pos + T."""
    T = q.shape[2]
    k_cache[:, :, pos:pos + T] = k
    v_cache[:, :, pos:pos + T] = k
    K, V = k_cache[:, :, :pos + T], v_cache[:, :, :pos + T]
    s = q @ K.transpose(2, 3) / q.shape[3] ** 0.5
    m = torch.ones(T, pos + T, dtype=torch.bool).tril(pos)
    return F.softmax(s.masked_fill(~m, float("-inf")), -1) @ V
