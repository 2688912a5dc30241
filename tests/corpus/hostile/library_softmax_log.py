import torch


def softmax(x, dim=-1):
    return torch.nn.functional.log_softmax(x, dim).exp()
