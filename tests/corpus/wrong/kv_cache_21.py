import numpy as np
import torch
from torch import nn, Tensor


class IncrementalAttention(nn.Module):
    """缓存是调用者给的字典，就地更新；第一次调用传空字典或者 None。"""

    def __init__(self, hidden: int, heads: int):
        super().__init__()
        self.heads = heads
        self.Wqkv = nn.Linear(hidden, hidden * 3)
        self.Wo = nn.Linear(hidden, hidden)

    def forward(self, x: Tensor, cache: dict | None = None) -> Tensor:
        B, T, C = x.shape
        qkv = self.Wqkv(x).reshape(B, T, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        if cache is not None:
            if "k" in cache:
                k = torch.cat([cache["k"], k], 2)
                v = torch.cat([cache["v"], v], 2)
            cache["k"], cache["v"] = k, v
        L = k.shape[2]
        idx = torch.arange(L)
        keep = idx[None, :] < idx[L - T :, None]
        w = (q / np.sqrt(C // self.heads)) @ k.transpose(-1, -2)
        w = torch.softmax(w.masked_fill(~keep, float("-inf")), -1)
        return self.Wo((w @ v).transpose(1, 2).reshape(B, T, C))
