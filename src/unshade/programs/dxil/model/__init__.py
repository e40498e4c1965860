"""The module as objects: types, values, instructions, metadata."""

from .module import DxilModule
from .typetable import TypeTable

__all__ = ["DxilModule", "TypeTable"]
