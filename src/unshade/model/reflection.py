"""The reflection model (stub until the helper for it lands)."""


class Reflection:
    """What a shader takes, gives and uses."""
