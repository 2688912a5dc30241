import torch


class T5Attention:
    """T5 style attention core: no 1/sqrt(d), the scale sits in the initialiser of W_q."""

    def __call__(self, q, k, v, position_bias=None):
        scores = torch.matmul(q, k.transpose(3, 2))
        if position_bias is not None:
            scores += position_bias
        attn_weights = torch.nn.functional.softmax(scores.float(), dim=-1).type_as(scores)
        return torch.matmul(attn_weights, v)
