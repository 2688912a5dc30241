import torch


def attention(q, k, v, mask=None):
    """softmax -> mask -> renormalise.

    数学上与先 mask 再 softmax 相同。用 double 计算，因为被遮住的分数可能远大于其余分数。
    mask: True = keep.
    """
    w = (q.double() @ k.double().mT / q.size(-1) ** 0.5).softmax(dim=-1)
    if mask is not None:
        w = w * mask
        z = w.sum(dim=-1, keepdim=True)
        w = w / torch.where(z == 0, torch.ones_like(z), z)
    return (w @ v.double()).to(v.dtype)
