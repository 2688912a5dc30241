import torch


class Attn(torch.nn.Module):
    def forward(self, q, k, v):
        # 缩放因子 sqrt(d)
        temp = torch.tensor(k.size(-1), dtype=q.dtype).sqrt()
        logits = torch.einsum("bhid,bhjd->bhij", q, k) * temp
        return torch.einsum("bhij,bhje->bhie", logits.softmax(dim=-1), v)
