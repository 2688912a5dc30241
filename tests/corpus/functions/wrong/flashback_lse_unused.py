import torch


def flash_attention_backward(q, k, v, out, lse, d_out, block_size=48):
    c = q.shape[-1] ** -0.5
    x = q * c
    D = torch.einsum("...d,...d->...", d_out, out)[..., None]
    dq, dk, dv = map(torch.zeros_like, (q, k, v))
    for sl in [slice(j, j + block_size) for j in range(0, k.shape[-2], block_size)]:
        p = (x @ k[..., sl, :].mT).exp()
        dv[..., sl, :] = p.mT @ d_out
        t = p * (d_out @ v[..., sl, :].mT) - p * D
        dk[..., sl, :] = t.mT @ x
        dq += t @ k[..., sl, :]
    return dq * c, dk, dv
