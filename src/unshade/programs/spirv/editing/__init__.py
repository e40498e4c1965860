"""Edits of a module that keep it valid."""
