import torch


def scaled_softmax(raw, scale):
    """softmax(scale * raw) over the last axis; the scale is applied to the shifted scores."""
    shifted = raw - raw.amax(-1, keepdim=True)
    e = torch.exp(shifted * scale)
    return e / e.sum(-1, keepdim=True)


def attend(query, key, value):
    # query, key, value: (batch, heads, length, depth)
    return scaled_softmax(query @ key.transpose(-2, -1), scale=query.size(-1) ** -0.5) @ value
