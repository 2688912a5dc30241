# ruff: noqa
import numpy as np
import jax.numpy as jnp
