import torch


def core_attention(query_layer, key_layer, value_layer):
    """[sq, b, np, hn], keys and values with fewer heads: [sk, b, ng, hn]. GQA."""
    sq, b, np_, hn = query_layer.shape
    rep = np_ // key_layer.size(2)
    key_layer = key_layer.repeat_interleave(rep, dim=2)
    value_layer = value_layer.repeat_interleave(rep, dim=2)
    q = query_layer.permute(1, 2, 0, 3)
    k = key_layer.permute(1, 2, 3, 0)
    v = value_layer.permute(1, 2, 0, 3)
    probs = torch.softmax(torch.matmul(q, k) / (hn**0.5), dim=-1)
    return torch.matmul(probs, v).permute(2, 0, 1, 3)
