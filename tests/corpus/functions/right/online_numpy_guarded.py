import numpy as np

def online_softmax(x, block_size):
    m = np.full(x.shape[:-1], -np.inf); l = np.zeros(x.shape[:-1])
    n = x.shape[-1]
    for s in range(0, n, block_size):
        blk = x[..., s:s + block_size]
        m_new = np.maximum(m, blk.max(-1))
        safe = np.where(np.isinf(m_new), 0, m_new)
        l = l * np.exp(m - safe) + np.exp(blk - safe[..., None]).sum(-1)
        m = m_new
    safe = np.where(np.isinf(m), 0, m)
    return np.exp(x - safe[..., None]) / np.where(l == 0, 1, l)[..., None]
