import torch


def causal_attention(q, k, v):
    # 不用 mask：第 i 个 query 只拿到它之前的前缀
    steps = []
    past = k.size(-2) - q.size(-2)
    for i in range(q.size(-2)):
        end = max(past + i + 1, 0)
        qi = q[..., i:i + 1, :]
        w = torch.softmax(qi @ k[..., :end, :].transpose(-1, -2) / q.size(-1) ** 0.5, dim=-1)
        steps.append(w @ v[..., :end, :])
    return torch.cat(steps, dim=-2)
