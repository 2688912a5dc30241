import torch

SCALE = 0.125
x = torch.ones(3)
