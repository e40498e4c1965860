"""A module as text: the assembly of LLVM 3.7 with the comments of dxc 1.10.

    target datalayout = "…"           module
    %dx.types.Handle = type { i8* }   types          structures that are used, in that order
    @x = internal global i32 0        globals
    define void @main() { … }         functions
    attributes #0 = { nounwind }      functions, instructions: groups of attributes
    !dx.version = !{!0}               module: named metadata, then nodes by number
    !0 = !{i32 1, i32 0}

Source: the language reference of LLVM 3.7; listings by dxc; the order of numbers from AsmWriter.cpp
of LLVM 3.7.
"""

from ....limits import DEFAULT, Limits
from ..model.module import DxilModule
from .module import Place, module_lines

__all__ = ["Place", "disassemble", "is_same_text", "module_lines"]


def disassemble(module: DxilModule, limits: Limits = DEFAULT) -> str:
    """Return the text of a module.

    Raises:
        LimitError: The text is longer than `limits` allow.
    """
    return "\n".join([*module_lines(module, limits), ""])


def is_same_text(one: DxilModule, other: DxilModule, limits: Limits = DEFAULT) -> bool:
    """Return whether two modules have the same text, apart from orders of uses.

    These numbers are only shown in comments, so a module that was assembled from text lacks them.

    Raises:
        LimitError: A text is longer than `limits` allow.
    """
    first, second = (module_lines(each, limits, use_lists=False) for each in (one, other))
    return first == second
