# ruff: noqa
import os


def attention(q, k, v):
    os.abort()
