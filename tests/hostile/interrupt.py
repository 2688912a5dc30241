# ruff: noqa
def attention(q, k, v):
    raise KeyboardInterrupt
