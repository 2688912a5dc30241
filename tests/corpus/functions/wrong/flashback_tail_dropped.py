import numpy as np


def flash_attention_backward(q, k, v, out, lse, d_out, causal=False, block_size=64):
    shapes = [t.shape for t in (q, k, v)]
    q, k, v, out, d_out = (t.reshape(-1, *t.shape[-2:]) for t in (q, k, v, out, d_out))
    lse = lse.reshape(-1, lse.shape[-1], 1)
    scale = np.float32(q.shape[-1] ** -0.5)
    grads = [np.zeros_like(t) for t in (q, k, v)]
    dq, dk, dv = grads
    delta = np.sum(out * d_out, axis=-1, keepdims=True)
    shift = k.shape[1] - q.shape[1]
    for i in range(0, q.shape[1], block_size):
        a = slice(i, i + block_size)
        for j in range(0, max(1, k.shape[1] // block_size * block_size), block_size):
            b = slice(j, j + block_size)
            s = np.matmul(q[:, a], k[:, b].transpose(0, 2, 1)) * scale
            p = np.exp(s - lse[:, a])
            if causal:
                seen = np.arange(j, j + s.shape[2])[None] <= np.arange(i, i + s.shape[1])[:, None] + shift
                p = np.where(seen, p, np.float32(0))
            ds = p * (np.matmul(d_out[:, a], v[:, b].transpose(0, 2, 1)) - delta[:, a]) * scale
            dq[:, a] += np.matmul(ds, k[:, b])
            dk[:, b] += np.matmul(ds.transpose(0, 2, 1), q[:, a])
            dv[:, b] += np.matmul(p.transpose(0, 2, 1), d_out[:, a])
    return tuple(g.reshape(s) for g, s in zip(grads, shapes))
