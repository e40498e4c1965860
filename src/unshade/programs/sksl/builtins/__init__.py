"""Builtin modules: the functions, variables and types that programs use without declaring them."""

from .modules import module, parent_of

__all__ = ["module", "parent_of"]
