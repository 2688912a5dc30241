# ruff: noqa
async def attention(q, k, v):
    return v
