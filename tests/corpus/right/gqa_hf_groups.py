import torch


def grouped_attention(query, key, value, num_key_value_groups: int = 1, attention_mask=None):
    """query: (B, H, S, D); key, value: (B, H / num_key_value_groups, S, D). attention_mask: True = keep."""
    if num_key_value_groups > 1:
        key = torch.repeat_interleave(key, num_key_value_groups, dim=1)
        value = torch.repeat_interleave(value, num_key_value_groups, dim=1)
    weights = query @ key.transpose(-2, -1) * query.size(-1) ** -0.5
    if attention_mask is not None:
        weights = torch.where(attention_mask, weights, float("-inf"))
    return weights.softmax(-1) @ value
