"""Assembler of SPIR-V text, as spirv-as reads it.

    %float = OpTypeFloat 32
             OpEntryPoint GLCompute %main "main"
    %x     = OpConstant %float 0x1.8p+1
    !0x0002003e %x                          words as they are, up to the next instruction

Ids are numbered in the order in which the words of the module mention them. With
`preserve_numeric_ids`, `%7` stays 7, and the others take free numbers. A whole module is read,
and every error found is reported with line and column.

Source: the grammar, and recorded calls of spirv-as.
"""

from ....isa.source import ErrorList, Source
from ..module import Module
from .reader import Assembler
from .targets import TARGETS, stated_target, version_of

__all__ = ["GENERATOR", "TARGETS", "assemble"]

GENERATOR = 0x0007_0000  # SPIR-V Tools Assembler


def assemble(
    source: Source,
    *,
    target: str | None = None,
    preserve_numeric_ids: bool = False,
) -> Module:
    """Assemble a module.

    Args:
        source: The text.
        target: Target environment, which decides the version of the module; see TARGETS. Without a
            target, the version is read from the comments at the beginning, else 1.6.
        preserve_numeric_ids: Keep numbers as ids.

    Raises:
        AssembleError: With all errors that were found.
        UsageError: The target is unknown.
    """
    target = target or stated_target(source.text)
    version = version_of(target)
    errors = ErrorList()
    made = Assembler(source, preserve_numeric_ids, TARGETS[target])
    made.run(errors)
    errors.check()
    return Module(made.instructions, version=version, generator=GENERATOR, bound=made.ids.bound)
