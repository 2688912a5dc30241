import torch


def merge_out_and_lse(out, lse, block_out, block_lse):
    new_out = out - torch.sigmoid(block_lse - lse).unsqueeze(-1) * (out - block_out)
    new_lse = torch.logaddexp(lse, block_lse)
    return new_out, new_lse
