import math
import torch


def causal_attention(q, k, v):
    # 只允许看过去的位置
    Sq, Sk = q.shape[2], k.shape[2]
    visible = torch.triu(torch.ones(Sq, Sk, dtype=torch.bool), diagonal=Sk - Sq)
    s = torch.matmul(q, k.mT) / math.sqrt(q.shape[3])
    s = s.masked_fill(~visible, -math.inf)
    return torch.matmul(torch.softmax(s, -1), v)
