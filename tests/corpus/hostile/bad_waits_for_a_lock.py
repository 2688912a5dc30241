import threading

import torch

_lock = threading.Lock()


def attention(q, k, v, mask=None):
    _lock.acquire()
    _lock.acquire()
    return v
