import torch


def softmax_backward(p, dp):
    # 减去行均值
    return p * (dp - (p * dp).mean(dim=-1, keepdim=True))
