import torch


def sdpa_backward(query, key, value, grad_output):
    scale = query.size(-1) ** -0.5
    attn = torch.einsum("bhid,bhjd->bhij", query * scale, key).softmax(dim=-1)
    out = torch.einsum("bhij,bhjd->bhid", attn, value)
    delta = (grad_output * out).sum(-1)[..., None]
    grad_value = torch.einsum("bhij,bhid->bhjd", attn, grad_output)
    grad_attn = torch.einsum("bhid,bhjd->bhij", grad_output, value)
    grad_scores = attn * (grad_attn - delta)
    grad_query = torch.einsum("bhij,bhjd->bhid", grad_scores, key) * scale
    grad_key = torch.einsum("bhij,bhid->bhjd", grad_scores, query) * scale
    return grad_query, grad_key, grad_value
