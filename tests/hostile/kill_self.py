# ruff: noqa
import os


def attention(q, k, v):
    os.kill(os.getpid(), 11)
    return v
