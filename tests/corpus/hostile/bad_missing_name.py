from torch.nn import NoSuchLayer


def attention(q, k, v, mask=None):
    return v
