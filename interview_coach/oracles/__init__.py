"""Ground truth in float64 numpy, written to be read. Nothing here knows how it is used."""
