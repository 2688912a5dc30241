import torch


def make_attention(temperature=None):
    def attention(q, k, v, mask=None):
        t = temperature or q.size(-1) ** 0.5
        rows = []
        for i in range(q.size(-2)):
            s = (q[..., i, None, :] * k).sum(-1) / t
            if mask is not None:
                m = mask.expand(*q.shape[:-1], k.size(-2))[..., i, :]
                s = s.masked_fill(~m, -torch.inf)
            p = s.softmax(-1).nan_to_num()
            rows.append((p.unsqueeze(-1) * v).sum(-2))
        return torch.stack(rows, dim=-2)
    return attention


attention = make_attention()
