import os
import warnings

import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(1234)
os.environ.setdefault("OMP_NUM_THREADS", "1")
warnings.filterwarnings("ignore")
print("device:", "cuda" if torch.cuda.is_available() else "cpu")


def attention(q, k, v):
    root = torch.sqrt(torch.tensor(float(q.shape[-1])))
    weights = torch.softmax(q @ k.transpose(-2, -1) / root.to(q.dtype), dim=-1)
    print("weights", tuple(weights.shape))
    return weights @ v
