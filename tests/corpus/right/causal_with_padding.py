import torch
import torch.nn.functional as F


def decoder_attention(q, k, v, key_padding_mask=None):
    """因果 mask 与 padding mask 取并集。

    q, k, v: (B, H, S, D)
    key_padding_mask: (B, Sk)，True 为 padding
    """
    Sq, Sk = q.shape[-2], k.shape[-2]
    blocked = torch.ones(Sq, Sk, dtype=torch.bool, device=q.device).triu(Sk - Sq + 1)[None, None]
    if key_padding_mask is not None:
        blocked = blocked | key_padding_mask[:, None, None, :]
    logits = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    logits = logits.masked_fill(blocked, float("-inf"))
    probs = F.softmax(logits, dim=-1)
    probs = torch.where(blocked.all(-1, keepdim=True), torch.zeros_like(probs), probs)
    return torch.matmul(probs, v)
