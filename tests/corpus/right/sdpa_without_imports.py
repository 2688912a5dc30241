def attention(q, k, v):
    """softmax(q kT / sqrt d) v"""
    s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    return s.softmax(dim=-1) @ v
