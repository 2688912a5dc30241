import torch


def online_softmax(x, block_size):
    m = torch.full_like(x[..., :1], -torch.inf)
    l = torch.zeros_like(m).half()
    for t in torch.split(x, block_size, -1):
        m_ = torch.maximum(m, t.amax(-1, keepdim=True))
        l = l * torch.exp(m - m_).half() + torch.exp(t - m_).sum(-1, keepdim=True).half()
        m = m_
    return torch.exp(x - m) / l.float()
