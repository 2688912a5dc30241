import torch
import no_such_package_anywhere


def attention(q, k, v, mask=None):
    return v
