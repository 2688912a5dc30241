import torch


def log_softmax(x, dim=-1):
    m = x.amax(dim, keepdim=True)
    return x - m - (x - m).exp().sum(dim, keepdim=True).log()


def softmax(x, dim=-1):
    """by way of log-probabilities"""
    return log_softmax(x, dim).exp()
