import torch


def multi_head_attention(x, w, w_o, n_heads):
    b, s, c = x.shape
    q, k, v = (x @ w).view(b, s, 3, n_heads, c // n_heads).permute(2, 0, 3, 1, 4)
    p = torch.softmax(q @ k.transpose(-1, -2), -1)
    return (p @ v).transpose(1, 2).reshape(b, s, c) @ w_o
