"""The mutation matrix: every bug class against every exercise, over the whole corpora."""
