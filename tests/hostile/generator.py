# ruff: noqa
def attention(q, k, v):
    yield v
