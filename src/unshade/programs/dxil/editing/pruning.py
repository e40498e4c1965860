"""Removal of unused metadata, constants and declarations."""

from collections.abc import Iterable

from ..model.constants import DxilConstant
from ..model.metadata import Metadata, MetadataValue
from ..model.module import DxilModule
from ..model.values import DxilValue, Function
from .reach import children, constants_below, function_metadata, metadata_below, module_roots

__all__ = ["prune"]


def prune(module: DxilModule, declarations: bool = False) -> None:
    """Remove unused metadata and constants and, with `declarations`, function declarations.

    LLVM would not write them either.
    """
    roots: list[Metadata] = [node for each in module.named_metadata for node in each.nodes]
    for function in module.functions:
        found = list(function_metadata(function))
        kept = set(found)
        function.locals = [each for each in function.locals if each in kept]
        roots += found
    reached = set(metadata_below(roots, set()))
    module.metadata = [each for each in module.metadata if each in reached]
    used: set[DxilValue] = set()
    for function in module.functions:
        mine: set[DxilValue] = set()
        for instruction in function.instructions:
            mine.update(instruction.operands)
        below = set(constants_below(mine, set()))
        function.constants = [each for each in function.constants if each in below]
        used |= mine | below
        used |= _parts(below)
    values = [each.value for each in module.metadata if isinstance(each, MetadataValue)]
    outer = [*module_roots(module), *values]
    more = set(constants_below(outer, set()))
    used |= more | set(outer) | _parts(more)
    module.constants = [each for each in module.constants if each in used]
    if declarations:
        module.globals = [
            each
            for each in module.globals
            if not isinstance(each, Function) or not each.is_declaration or each in used
        ]
    numbered: set[DxilValue] = {*module.globals, *module.constants}
    module.use_lists = [each for each in module.use_lists if each.value in numbered]
    for function in module.functions:
        mine = {*numbered, *function.arguments, *function.constants, *function.blocks}
        mine.update(function.instructions)
        function.use_lists = [each for each in function.use_lists if each.value in mine]


def _parts(constants: Iterable[DxilConstant]) -> set[DxilValue]:
    """Return the values that constants consist of."""
    return {value for each in constants for value in children(each)}
