"""Screens of the app; each module is one, imported when it is first opened."""
