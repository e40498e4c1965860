"""Functions that can be called directly: those that a library exports besides its entry points.

    define float @"\\01?shade@ns@@YAMV?$vector@M$02@@@Z"(<3 x float> %normal)      ns::shade

Names are as in the module, without the leading byte 1 that keeps LLVM from changing them. The name
in the source may be given instead if it is unique. Internal functions, which were not inlined, can
be called likewise in modules of every stage.
"""

from collections.abc import Sequence

from .calls import own_functions
from .model.module import DxilModule
from .model.values import Function
from .shaderinfo import DxilShader

__all__ = ["callable_functions", "exported_functions", "names_meant", "source_name"]

EXTERNAL = 0  # linkage
VERBATIM = "\1"


def exported_functions(module: DxilModule, shader: DxilShader) -> dict[str, Function]:
    """Return the functions that a library exports, by name; entry points are not among them."""
    if shader.stage != "lib":
        return {}
    found = callable_functions(module, shader)
    return {name: each for name, each in found.items() if each.linkage == EXTERNAL}


def callable_functions(module: DxilModule, shader: DxilShader) -> dict[str, Function]:
    """Return the functions with a body by name, internal functions too, but no entry points."""
    others = {function for entry in shader.entry_points for function in own_functions(entry)}
    return {
        each.name.removeprefix(VERBATIM): each
        for each in module.functions
        if each.blocks and each not in others
    }


def source_name(name: str) -> str:
    """Return the name in the source: of `?shade@ns@@YAMM@Z` it is `ns::shade`."""
    plain = name.removeprefix(VERBATIM)
    if not plain.startswith("?"):
        return name
    path, mark, _ = plain[1:].partition("@@")
    return "::".join(reversed(path.split("@"))) if mark and path else name


def names_meant(names: Sequence[str], name: str) -> list[str]:
    """Return the names that match a name: itself, or all functions with that name in the source."""
    plain = name.removeprefix(VERBATIM)
    return [plain] if plain in names else [each for each in names if source_name(each) == name]
