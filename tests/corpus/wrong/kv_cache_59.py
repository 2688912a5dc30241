import torch, math
import torch.nn as nn

class KVCacheMHA(nn.Module):
    def __init__(self, d_model, num_heads, max_len=128):
        super().__init__()
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)
        self.max_len = max_len

    def init_cache(self, batch_size, device=None):
        return {
            "k": torch.zeros(batch_size, self.num_heads, self.max_len, self.d_k, device=device),
            "v": torch.zeros(batch_size, self.num_heads, self.max_len, self.d_k, device=device),
            "len": 0,
        }

    def forward(self, x, cache):
        B, T, _ = x.shape
        s = cache["len"]
        q = self.W_q(x).view(B, T, self.num_heads, self.d_k).transpose(1, 2)
        cache["k"][:, :, s:s + T] = self.W_k(x).view(B, T, self.num_heads, self.d_k).transpose(1, 2)
        cache["v"][:, :, s:s + T] = self.W_v(x).view(B, T, self.num_heads, self.d_k).transpose(1, 2)
        cache["len"] = s + 1
        K, V = cache["k"][:, :, :s + T], cache["v"][:, :, :s + T]
        scores = q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
        mask = torch.arange(s + T)[None, :] > torch.arange(s, s + T)[:, None]
        scores = scores.masked_fill(mask, float('-inf'))
        out = torch.softmax(scores, dim=-1) @ V
        return self.W_o(out.transpose(1, 2).reshape(B, T, -1))
