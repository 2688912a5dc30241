# ruff: noqa
def attention(q, k, v):
    x = []
    for _ in range(10_000):
        x = [x]
    return x
