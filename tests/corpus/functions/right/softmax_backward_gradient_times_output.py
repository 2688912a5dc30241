import torch

def softmax_grad(grad_output, output):
    """grad_output = dL/dP, output = P"""
    g = grad_output * output
    return g - output * g.sum(-1, keepdim=True)
