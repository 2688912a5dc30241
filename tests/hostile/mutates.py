# ruff: noqa
def attention(q, k, v):
    k *= 2
    return v
