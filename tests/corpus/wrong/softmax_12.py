import torch


def _normalise(t, dim):
    t = t - t.amax(dim=dim, keepdim=True)
    w = t.exp()
    return w / w.sum(dim=dim, keepdim=True)


def softmax(x, dim=-1):
    probs = _normalise(x, dim)
    # make sure that the rows sum up to one
    return _normalise(probs, dim)
