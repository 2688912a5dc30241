# ruff: noqa
import os
import sys

os.environ["PATH"] = "/nowhere"
os.environ["EXTRA"] = "1"
sys.stdout = None


def attention(q, k, v):
    seen = os.environ.get("EXTRA"), os.environ["PATH"], sys.stdout is None
    os.environ.clear()
    sys.stdout = None
    return list(seen)
