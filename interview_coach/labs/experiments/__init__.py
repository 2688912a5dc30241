"""One experiment a file; each is found by its name."""
