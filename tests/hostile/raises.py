# ruff: noqa
def attention(q, k, v):
    scores = q @ k
    raise RuntimeError("no luck")
