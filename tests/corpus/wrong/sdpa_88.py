import torch


def attention(q, k, v):
    B, H, Sq, D = q.shape
    Sk = k.size(2)
    qf = q.view(B * H, Sq, D)
    kf = k.view(B * H, Sk, D)
    vf = v.view(B * H, Sk, v.size(3))
    p = torch.softmax(torch.bmm(qf, kf.transpose(1, 2)) / D ** 0.5, dim=-1)
    return torch.bmm(p, vf).view(B, H, Sq, v.size(3))
