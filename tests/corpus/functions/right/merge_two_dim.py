import numpy as np


def combine_partials(o_left, l_left, o_right, l_right):
    # o: (S, D), l: (S,)
    l = np.logaddexp(l_left, l_right)
    return np.exp(l_left - l)[:, None] * o_left + np.exp(l_right - l)[:, None] * o_right, l
