import torch


def attention(q, k, v, mask=None):
    return v if input("go on? ") else q
