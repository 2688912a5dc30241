import threading

import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    box = []
    worker = threading.Thread(target=lambda: box.append(F.scaled_dot_product_attention(q, k, v, attn_mask=mask)))
    worker.start()
    worker.join()
    return box[0]
