import math
from argparse import Namespace

import torch
from torch import nn


class VisionLanguageAttention(nn.Module):
    """args: Namespace(hidden, heads, vision_hidden). image_padding_mask (B, patches): True marks padded patches."""

    def __init__(self, args: Namespace):
        super().__init__()
        self.h = args.heads
        self.q = nn.Linear(args.hidden, args.hidden)
        self.k = nn.Linear(args.vision_hidden, args.hidden)
        self.v = nn.Linear(args.vision_hidden, args.hidden)
        self.o = nn.Linear(args.hidden, args.hidden)

    def forward(self, text, image, image_padding_mask=None):
        b, t, c = text.shape
        p = image.size(1)
        q = self.q(text).reshape(b, t, self.h, c // self.h).transpose(1, 2).reshape(b * self.h, t, -1)
        k = self.k(image).reshape(b, p, self.h, c // self.h).transpose(1, 2).reshape(b * self.h, p, -1)
        v = self.v(image).reshape(b, p, self.h, c // self.h).transpose(1, 2).reshape(b * self.h, p, -1)
        w = torch.bmm(q / math.sqrt(c // self.h), k.transpose(1, 2))
        if image_padding_mask is not None:
            hide = image_padding_mask[:, None, None, :].expand(b, self.h, t, p).reshape(b * self.h, t, p)
            w = w.masked_fill(hide, torch.finfo(w.dtype).min)
        y = torch.bmm(torch.softmax(w, dim=2), v)
        return self.o(y.view(b, self.h, t, -1).transpose(1, 2).reshape(b, t, c))


if __name__ == "__main__":
    args = Namespace(hidden=32, heads=4, vision_hidden=24)
    print(VisionLanguageAttention(args)(torch.randn(2, 5, 32), torch.randn(2, 9, 24)).shape)
