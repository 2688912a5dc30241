# ruff: noqa
import sys


def attention(q, k, v):
    sys.exit(3)
