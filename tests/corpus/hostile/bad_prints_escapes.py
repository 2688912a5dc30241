import sys

import torch


def attention(q, k, v, mask=None):
    print("\x1b[2J\x1b]0;title\x07\x1b[31m" + "\ud83d".encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
    sys.stdout.buffer.write(bytes(range(256)))
    return v.mean(-2, keepdim=True).expand(*q.shape[:-1], v.shape[-1])
