# 从零开始实现 softmax 回归（笔记）
import torch


def softmax(X):
    """X 的形状为 (样本数, 类别数)，每一行是一个样本。"""
    X = X - X.max(dim=-1, keepdim=True).values
    X_exp = torch.exp(X)
    partition = X_exp.sum(-1, keepdim=True)
    return X_exp / partition  # 这里用到了广播机制


X = torch.normal(0, 1, (2, 5))
print(softmax(X), softmax(X).sum(1))
