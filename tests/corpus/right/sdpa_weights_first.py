import torch


def get_attention(Q, K, V):
    """returns (attention map, context), in this order"""
    dk = K.size(-1)
    attn_map = torch.softmax(torch.matmul(Q, K.transpose(2, 3)) / dk ** 0.5, dim=3)
    context = torch.matmul(attn_map, V)
    return attn_map, context
