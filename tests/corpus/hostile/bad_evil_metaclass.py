import torch


class Meta(type):
    def __getattribute__(cls, name):
        if name in ("__module__", "__name__", "__mro__", "__doc__"):
            raise RuntimeError("nobody")
        return super().__getattribute__(name)


class Attention(torch.nn.Module, metaclass=Meta):
    def forward(self, q, k, v, mask=None):
        return v
