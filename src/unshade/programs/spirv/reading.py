"""The operands of all instructions of a module, read in its order."""

from ...unchanged import once
from .context import Context
from .module import Module
from .operands import Decoded, decode
from .tables.grammar import grammar

__all__ = ["read_operands"]


@once
def read_operands(module: Module) -> tuple[list[Decoded], Context]:
    """Return each instruction with its operands, and the ids that instructions declare."""
    context, table = Context(), grammar()
    found = []
    for each in module.instructions:
        decoded = decode(each.words, context, table)
        if not decoded.problem:
            context.add(each.words, decoded.result_type, decoded.result)
        found.append(decoded)
    return found, context
