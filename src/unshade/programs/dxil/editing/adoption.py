"""Numbering of constants and metadata that were made for an edit."""

from collections.abc import Iterable

from ..model.constants import DxilConstant
from ..model.metadata import Metadata, MetadataValue
from ..model.module import DxilModule
from ..model.types import DxilType
from ..model.values import DxilValue, Function
from .reach import constants_below, function_metadata, is_local, metadata_below, module_roots

__all__ = ["adopt"]


def adopt(module: DxilModule) -> None:
    """Add constants and metadata that are referred to but not yet numbered.

    Constants that only instructions use are added to `Function.constants`, next to constants of
    their type.
    """
    metadata: set[Metadata] = set(module.metadata)
    named = [node for each in module.named_metadata for node in each.nodes]
    for found in metadata_below([*module.metadata, *named], set()):
        if found not in metadata:
            metadata.add(found)
            module.metadata.append(found)
    for function in module.functions:
        known = set(function.locals)
        for found in metadata_below(function_metadata(function), set()):
            if is_local(found):
                if found not in known and isinstance(found, MetadataValue):
                    known.add(found)
                    function.locals.append(found)
            elif found not in metadata:
                metadata.add(found)
                module.metadata.append(found)
    values = [each.value for each in module.metadata if isinstance(each, MetadataValue)]
    known_values: set[DxilValue] = set(module.constants)
    _add(module.constants, [*module.constants, *module_roots(module), *values], known_values)
    for function in module.functions:
        _add_to(function, known_values)


def _add_to(function: Function, module_values: set[DxilValue]) -> None:
    """Add the constants that instructions of a function use."""
    used = (value for each in function.instructions for value in each.operands)
    _add(function.constants, [*function.constants, *used], module_values | {*function.constants})


def _add(constants: list[DxilConstant], roots: Iterable[DxilValue], known: set[DxilValue]) -> None:
    """Add unknown constants below roots, each after the others of its type."""
    new: dict[DxilType, list[DxilConstant]] = {}
    for found in constants_below(roots, set()):
        if found not in known:
            known.add(found)
            new.setdefault(found.type, []).append(found)
    last = {each.type: at for at, each in enumerate(constants)}
    merged: list[DxilConstant] = []
    for at, each in enumerate(constants):
        merged.append(each)
        if last[each.type] == at:
            merged += new.pop(each.type, [])
    constants[:] = [*merged, *(each for group in new.values() for each in group)]
