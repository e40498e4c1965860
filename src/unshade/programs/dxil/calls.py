"""The functions of an entry point: its own, that of patch constants, and all that these call."""

from .model.values import Function
from .shaderinfo import DxilEntryPoint

__all__ = ["functions_of", "own_functions"]


def own_functions(entry: DxilEntryPoint) -> list[Function]:
    """Return the function of an entry point, and that of the patch constants of a hull shader."""
    hull = entry.properties.hull
    some = (entry.function, hull.patch_constant_function if hull is not None else None)
    return [each for each in some if each is not None]


def functions_of(entry: DxilEntryPoint) -> list[Function]:
    """Return the functions of an entry point, and all that they call."""
    waiting = own_functions(entry)
    found: dict[Function, None] = {}
    while waiting:
        function = waiting.pop()
        if function in found:
            continue
        found[function] = None
        for each in function.instructions:
            callee = getattr(each, "callee", None)  # of the instruction `call`
            if isinstance(callee, Function):
                waiting.append(callee)
    return list(found)
