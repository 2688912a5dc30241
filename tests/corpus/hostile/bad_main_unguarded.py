import argparse

import torch


def attention(q, k, v, mask=None):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v


parser = argparse.ArgumentParser()
parser.add_argument("checkpoint")
parser.parse_args()
