# ruff: noqa
def attention(q, k, v):
    raise ValueError("x" * 10_000_000)
