import torch


def attention(q, k, v):
    """
    Args:
        q, k, v: (B, S, D), any floating dtype
    Returns:
        (B, S, D), same dtype as the inputs
    """
    q32, k32, v32 = (t.to(torch.float32) if t.dtype in (torch.float16, torch.bfloat16) else t for t in (q, k, v))
    w = torch.softmax(torch.bmm(q32, k32.mT) / q.size(-1) ** 0.5, dim=-1)
    return torch.bmm(w, v32)
