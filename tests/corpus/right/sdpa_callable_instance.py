import torch


class _Attention:
    def __init__(self, softmax_dtype=torch.float32):
        self.softmax_dtype = softmax_dtype

    def __call__(self, query, key, value, key_mask=None):
        """key_mask (B, Sk), 1 = 真实的 key，0 = 填充"""
        score = torch.einsum("bhqd,bhkd->bhqk", query, key) / query.shape[-1] ** 0.5
        if key_mask is not None:
            score = score.masked_fill(key_mask[:, None, None, :] < 1, float("-inf"))
        prob = torch.softmax(score, dim=-1, dtype=self.softmax_dtype).to(value.dtype)
        return torch.einsum("bhqk,bhkd->bhqd", prob, value)


attention = _Attention()
