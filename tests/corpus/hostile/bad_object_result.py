import torch


def attention(q, k, v, mask=None):
    class Result:
        pass

    return Result()
