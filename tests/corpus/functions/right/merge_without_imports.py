def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = lse_a.logaddexp(lse_b)
    return out_a * (lse_a - lse).exp().unsqueeze(-1) + out_b * (lse_b - lse).exp().unsqueeze(-1), lse
