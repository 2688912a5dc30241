import torch


def softmax_backward(p, dp):
    with torch.enable_grad():
        x = p.clamp_min(1e-38).log().detach().requires_grad_()
        y = x.softmax(-1)
        return torch.autograd.grad(y, x, dp)[0]
