import _thread

import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    box, done = [], _thread.allocate_lock()
    done.acquire()


    def run():
        box.append(F.scaled_dot_product_attention(q, k, v, attn_mask=mask))
        done.release()


    _thread.start_new_thread(run, ())
    done.acquire()
    return box[0]
