import torch


def softmax(x, dim=-1):
    exps = x.exp()
    return exps / exps.sum(dim, keepdim=True)


if __name__ == "__main__":
    t = torch.tensor([2.0, 1.0, 0.5])
    print(softmax(t), softmax(t).sum())
