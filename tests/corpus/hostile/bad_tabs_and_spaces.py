import torch


def attention(q, k, v, mask=None):
	if mask is None:
		s = q
        return s
