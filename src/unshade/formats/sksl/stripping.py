"""Contents that `strip` removes: strings of the pool that no command refers to.

Skia's writer leaves none. Unused strings remain after edits, and other writers may produce them.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...shader import Loss

if TYPE_CHECKING:
    from .shader import SkslShader

__all__ = ["losses", "strip"]


def losses(shader: "SkslShader") -> list[Loss]:
    """Return the strings that can go."""
    program = shader.program
    unused = program.unused_strings()
    size = sum(1 + len(each.encode("utf-8", "surrogateescape")) for each in unused)
    return [Loss("strings", size, "debug", "no command refers to them")] if unused else []


def strip(shader: "SkslShader", lost: Sequence[Loss]) -> None:
    """Remove them."""
    if lost:
        shader.program.drop_unused_strings()
