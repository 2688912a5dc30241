import torch


def 注意力(查询, 键, 值, 遮罩=None):
    """标准的缩放点积注意力。

    遮罩: 布尔张量，True 表示“要遮住”，形状可广播到 (批, 头, 查询长度, 键长度)。
    """
    维度 = 查询.shape[-1]
    分数 = torch.einsum("...qd,...kd->...qk", 查询, 键) / 维度 ** 0.5
    if 遮罩 is not None:
        分数 = torch.where(遮罩, torch.full_like(分数, float("-inf")), 分数)
    最大 = 分数.amax(-1, keepdim=True)
    最大 = torch.where(torch.isfinite(最大), 最大, torch.zeros_like(最大))
    权重 = (分数 - 最大).exp()
    总和 = 权重.sum(-1, keepdim=True).clamp_min(torch.finfo(分数.dtype).tiny)
    return (权重 / 总和) @ 值
