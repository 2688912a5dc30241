import torch


def paged_decode_attention(q, k_pages, v_pages, page_table, lengths):
    B, H, D = q.shape
    _, P, Hkv, _ = k_pages.shape
    k = k_pages[page_table].reshape(B, -1, Hkv, D)
    v = v_pages[page_table].reshape(B, -1, Hkv, D)
    qg = q.reshape(B, Hkv, H // Hkv, D) * D**-0.5
    s = torch.einsum("bkgd,bnkd->bkgn", qg, k)
    valid = torch.arange(k.shape[1])[None] < lengths[:, None]
    s = torch.where(valid[:, None, None], s, torch.full_like(s, float("-inf")))
    return torch.einsum("bkgn,bnkd->bkgd", s.softmax(-1), v).reshape(B, H, D)
