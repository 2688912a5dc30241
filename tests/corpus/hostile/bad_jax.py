import jax.numpy as jnp


def attention(q, k, v, mask=None):
    return jnp.einsum('bhqk,bhkd->bhqd', q, v)
