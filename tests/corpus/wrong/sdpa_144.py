import torch


def attention(query, key, value):
    """query, key, value: (heads, seq, dim)"""
    attn = torch.baddbmm(torch.zeros(1, 1, 1, dtype=query.dtype), query, key.transpose(1, 2))
    attn = attn.softmax(dim=2)
    return attn.bmm(value)


if __name__ == "__main__":
    h = torch.randn(4, 6, 8)
    print(attention(h, h, h).shape)
