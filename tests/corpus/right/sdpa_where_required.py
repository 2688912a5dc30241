import torch, math

def softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
    m = torch.max(x, dim=dim, keepdim=True)[0]
    e = torch.exp(x - m)
    return e / torch.sum(e, dim=dim, keepdim=True)

def scaled_dot_product_attention(Q, K, V, mask):
    d_k = Q.shape[-1]
    attn = torch.einsum("...md,...nd->...mn", Q, K) / math.sqrt(d_k)
    attn = attn + torch.where(mask, 0.0, -float("inf"))
    return softmax(attn, -1) @ V
