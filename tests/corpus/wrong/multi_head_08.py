import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    b, s, c = x.shape
    d = c // n_heads
    fold = lambda t: t.reshape(b, s, n_heads, d).permute(2, 0, 1, 3).reshape(n_heads * b, s, d)
    q, k, v = fold(x @ w_q), fold(x @ w_k), fold(x @ w_v)
    p = torch.softmax(torch.bmm(q, k.mT) * d ** -0.5, -1)
    o = torch.bmm(p, v).reshape(n_heads, b, s, d)
    o = o.transpose(0, 1).reshape(b, s, c)
    return o @ w_o
