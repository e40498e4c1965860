"""The reason to draw with arrays: a draw has a part that machine code does not cover."""


class Uncovered(Exception):
    """A part of a draw is not covered; the exception does not leave this folder."""
