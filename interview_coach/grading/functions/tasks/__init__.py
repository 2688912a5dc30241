"""One module an exercise, named like it; ``TASK`` is what the engine needs of it."""
