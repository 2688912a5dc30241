import torch


def grouped_query_attention(q, k, v):
    """q: (batch, q_len, n_heads, head_dim); k, v: (batch, kv_len, n_kv_heads, head_dim)."""
    b, s, h, d = q.shape
    hkv = k.shape[2]
    q = q.view(b, s, hkv, h // hkv, d) if q.is_contiguous() else q.reshape(b, s, hkv, h // hkv, d)
    logits = torch.einsum("bsngd,btnd->bngst", q, k) * d**-0.5
    attn = torch.softmax(logits, dim=-1)
    out = torch.einsum("bngst,btnd->bsngd", attn, v)
    return out.flatten(2, 3)
