import torch


def attention(q, k, v, mask=None):
    """chunked over queries, 32 at a time"""
    outs = []
    for i in range(0, max(q.shape[-2] // 32, 1) * 32, 32):
        s = q[..., i:i + 32, :] @ k.mT * q.shape[-1] ** -0.5
        if mask is not None:
            s = s.masked_fill(~mask[..., i:i + 32, :] if mask.shape[-2] > 1 else ~mask, -torch.inf)
        outs.append(s.softmax(-1).nan_to_num() @ v)
    out = torch.cat(outs, -2)
    if out.shape[-2] < q.shape[-2]:
        out = torch.nn.functional.pad(out, (0, 0, 0, q.shape[-2] - out.shape[-2]))
    return out
