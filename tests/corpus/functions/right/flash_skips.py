import torch


def blockwise_attention(q, k, v, is_causal=False, q_block=64, kv_block=32):
    Sq, Sk, off = q.shape[-2], k.shape[-2], k.shape[-2] - q.shape[-2]
    out = q.new_zeros(*q.shape[:-1], v.shape[-1])
    lse = q.new_full(q.shape[:-1], -torch.inf, dtype=torch.float32)
    for i0 in range(0, Sq, q_block):
        i1 = min(i0 + q_block, Sq)
        last = min(Sk, i1 + off) if is_causal else Sk
        if last <= 0:
            continue
        m = torch.full(q.shape[:-2] + (i1 - i0,), -torch.inf)
        l, acc = torch.zeros_like(m), torch.zeros(*m.shape, v.shape[-1])
        for j0 in range(0, last, kv_block):
            j1 = min(j0 + kv_block, Sk)
            s = (q[..., i0:i1, :] @ k[..., j0:j1, :].mT).float() * q.shape[-1] ** -0.5
            if is_causal and j1 > i0 + off + 1:
                s = s.masked_fill(torch.arange(j0, j1) > torch.arange(i0, i1)[:, None] + off, -torch.inf)
            new = torch.maximum(m, s.amax(-1))
            use = new.clamp(min=-1e30)
            p, a = torch.exp(s - use[..., None]), torch.exp(m - use)
            l, acc, m = a * l + p.sum(-1), a[..., None] * acc + p @ v[..., j0:j1, :].float(), new
        out[..., i0:i1, :] = (acc / l.clamp_min(1e-30)[..., None]).to(q.dtype)
        lse[..., i0:i1] = m + l.log()
    return out, lse
