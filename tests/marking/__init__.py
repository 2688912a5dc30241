"""The evaluation set of the marker and what it measures."""
