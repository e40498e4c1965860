"""Vega's VBC: the reflection of a program, and a SPIR-V module for each stage."""

from typing import TYPE_CHECKING

__all__ = ["Vbc", "VbcFile"]

if TYPE_CHECKING:
    from .records import VbcFile
    from .shader import Vbc
else:
    from ...lazy import attributes  # who reads about.py does not need the rest

    __getattr__ = attributes(__name__, {"Vbc": ".shader", "VbcFile": ".records"})
