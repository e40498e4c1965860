"""State Object Databases: the pipelines of an application of Direct3D 12, in SQLite."""

from typing import TYPE_CHECKING

__all__ = ["Sodb"]

if TYPE_CHECKING:
    from .file import Sodb
else:
    from ...lazy import attributes  # who reads about.py does not need the rest

    __getattr__ = attributes(__name__, dict.fromkeys(__all__, ".file"))
