import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    names = {"F": F, "q": q, "k": k, "v": v, "mask": mask}
    exec("o = F.scaled_" + "dot_product_attention(q, k, v, mask)", names)
    return names["o"]
