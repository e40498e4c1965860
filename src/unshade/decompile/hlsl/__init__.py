"""HLSL: spellings and the entry point (target.py), declarations of resources (declarations.py)."""

from .target import Hlsl

__all__ = ["Hlsl"]
