"""What a shader takes, gives and uses, in the same words for every format."""

from .reflection import Reflection

__all__ = ["Reflection"]
