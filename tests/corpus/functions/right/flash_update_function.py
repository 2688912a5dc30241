import torch


def online_update(state, s, v):
    m, l, acc = state
    mn = torch.maximum(m, s.amax(-1, keepdim=True))
    ref = torch.where(torch.isneginf(mn), torch.zeros_like(mn), mn)
    p = torch.exp(s - ref)
    a = torch.exp(m - ref)
    return mn, l * a + p.sum(-1, keepdim=True), acc * a + p @ v


def visible(i0, i1, j0, j1, offset):
    return torch.arange(j0, j1)[None, :] <= torch.arange(i0, i1)[:, None] + offset


def flash_attention(query, key, value, is_causal=False, scale=None, *, q_chunk=32, k_chunk=48):
    scale = query.size(-1) ** -0.5 if scale is None else scale
    Lq, Lk = query.size(-2), key.size(-2)
    outs, lses = [], []
    for i0 in range(0, Lq, q_chunk):
        i1 = min(Lq, i0 + q_chunk)
        q = query[..., i0:i1, :].float() * scale
        state = (q.new_full((*q.shape[:-1], 1), float('-inf')), q.new_zeros((*q.shape[:-1], 1)), q.new_zeros((*q.shape[:-1], value.size(-1))))
        for j0 in range(0, Lk, k_chunk):
            j1 = min(Lk, j0 + k_chunk)
            if is_causal and j0 > i1 - 1 + Lk - Lq:
                break
            s = q @ key[..., j0:j1, :].float().transpose(-1, -2)
            if is_causal:
                s = s.masked_fill(~visible(i0, i1, j0, j1, Lk - Lq), float('-inf'))
            state = online_update(state, s, value[..., j0:j1, :].float())
        m, l, acc = state
        outs.append(torch.where(l > 0, acc / l, torch.zeros_like(acc)).to(query.dtype))
        lses.append((m + torch.log(l)).squeeze(-1))
    return torch.cat(outs, -2), torch.cat(lses, -1)
