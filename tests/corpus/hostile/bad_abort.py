import os

import torch


def attention(q, k, v, mask=None):
    os.abort()
