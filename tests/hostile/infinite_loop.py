# ruff: noqa
def attention(q, k, v):
    while True:
        pass
