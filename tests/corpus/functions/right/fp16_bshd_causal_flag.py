import torch


def attention_fp16(q, k, v, causal=False):
    """半精度注意力，输入输出形状 (batch, seq, heads, dim)，中间用 fp32 累加。"""
    qf, kf, vf = (t.transpose(1, 2).float() for t in (q, k, v))
    s = torch.matmul(qf, kf.transpose(-1, -2)) / qf.shape[-1] ** 0.5
    if causal:
        n, m = s.shape[-2:]
        visible = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        s = s.masked_fill(~visible, float("-inf"))
    p = torch.nan_to_num(torch.softmax(s, -1))
    return torch.matmul(p, vf).transpose(1, 2).to(q.dtype)
