"""Widgets of the app; each module is one."""
