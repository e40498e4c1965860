"""Spelling of the words of the header."""

from .tables.grammar import grammar

__all__ = ["generator_text", "version_text"]


def version_text(version: int) -> str:
    """Return the version of a header word: 1.5."""
    return f"{version >> 16 & 0xFF}.{version >> 8 & 0xFF}"


def generator_text(generator: int) -> str:
    """Return the tool and its version: Khronos Glslang Reference Front End; 8."""
    tool = generator >> 16
    name = grammar().generators.get(tool, f"Unknown({tool})")
    return f"{name}; {generator & 0xFFFF}"
