"""An image encoder. What it imports besides torch and einops is not needed for its attention."""

import torch
from einops import rearrange, repeat
from einops.layers.torch import Rearrange
from timm.models.layers import DropPath, trunc_normal_
from timm.models.registry import register_model
from torch import einsum, nn

import wandb
from .image_sizes import ImageSizes

SIZES = ImageSizes.default(side=224)


def init(module):
    if isinstance(module, nn.Linear):
        trunc_normal_(module.weight, std=0.02)


class Mlp(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))

    def forward(self, x):
        return self.layers(x)


class TokenAttention(nn.Module):
    def __init__(self, dim, num_heads=8, drop=0.0, sizes: ImageSizes | None = None):
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.out = nn.Linear(dim, dim)
        self.drop = nn.Dropout(drop)
        self.drop_path = DropPath(0.1)
        self.apply(init)

    def forward(self, x):
        q, k, v = rearrange(self.qkv(x), "b n (three h d) -> three b h n d", three=3, h=self.num_heads)
        scores = einsum("b h i d, b h j d -> b h i j", q, k) * q.shape[-1] ** -0.5
        attended = einsum("b h i j, b h j d -> b h i d", self.drop(scores.softmax(dim=-1)), v)
        wandb.log({"largest": scores.detach().max().item()})
        return self.drop_path(self.out(rearrange(attended, "b h n d -> b n (h d)")))


class EncoderLayer(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.norms = nn.ModuleList([nn.LayerNorm(dim), nn.LayerNorm(dim)])
        self.attention = TokenAttention(dim, num_heads)
        self.mlp = Mlp(dim, 4 * dim)

    def forward(self, x):
        x = x + self.attention(self.norms[0](x))
        return x + self.mlp(self.norms[1](x))


class ImageEncoder(nn.Module):
    def __init__(self, dim=192, depth=4, num_heads=3, patch=16):
        super().__init__()
        self.patches = nn.Sequential(
            Rearrange("b c (h p) (w r) -> b (h w) (c p r)", p=patch, r=patch), nn.Linear(3 * patch**2, dim)
        )
        self.token = nn.Parameter(torch.zeros(1, 1, dim))
        self.layers = nn.Sequential(*[EncoderLayer(dim, num_heads) for _ in range(depth)])

    def forward(self, images):
        x = self.patches(images)
        token = repeat(self.token, "1 1 d -> b 1 d", b=x.shape[0])
        return self.layers(torch.cat([token, x], dim=1))[:, 0]


@register_model
def image_encoder_tiny(**kwargs):
    return ImageEncoder(**kwargs)
