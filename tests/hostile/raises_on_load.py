# ruff: noqa
x = 1 / 0
