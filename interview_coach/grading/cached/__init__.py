"""Attention that keeps its keys and values from call to call: how it is called, and what is tried on it.

Only :mod:`.names` and :mod:`.form` are known to the rest of the engine; the others build on it.
"""
