import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    # d = 最后一维
    d = k.size(2)
    scores = torch.matmul(q, k.transpose(2, 3)).div(d ** 0.5)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))  # True = 可以看
    return torch.matmul(F.softmax(scores, dim=3), v)
