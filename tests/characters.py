"""Characters for hypothesis, by their code points: its own alphabet is a table of all of Unicode, made in seconds."""

from hypothesis import strategies as st

LATIN, GREEK_TO_KANGXI, CHINESE = st.integers(0, 0x24F), st.integers(0x370, 0x2FFF), st.integers(0x4E00, 0x9FFF)
ANY = (LATIN | GREEK_TO_KANGXI | CHINESE | st.integers(0, 0x10FFFF)).map(chr)
"""Lone surrogates among them."""
ENCODABLE = (LATIN | GREEK_TO_KANGXI | CHINESE | st.integers(0xE000, 0x10FFFF)).map(chr)
"""Those that UTF-8 can write."""
