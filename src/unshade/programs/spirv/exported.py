"""Functions of a module that can be called directly: all with a body except entry points.

    %f = OpFunction %float None %type      OpName %f "fbm(vf2;i1;"       fbm

A function is called as in its export linkage, in OpName or in debug information, or by its id: %12.
glslang adds the types of the parameters to the name; without them, a name may mean several
functions.

Source: SPIR-V specification, Linkage; NonSemantic.Shader.DebugInfo.100 and OpenCL.DebugInfo.100,
DebugFunction.
"""

from collections import Counter
from collections.abc import Sequence

from .context import string_of
from .index import FunctionBody, ModuleIndex
from .tables.numbers import Decoration

__all__ = ["exported_functions", "names_meant", "parameter_names", "short_names", "source_name"]

FUNCTION, DECLARE, VALUE = 20, 28, 29  # instructions of debug information
DEFINITION = 101  # DebugFunctionDefinition: the function that a DebugFunction describes
NAME = 5  # the word of the name in an instruction of debug information


def exported_functions(index: ModuleIndex) -> dict[str, FunctionBody]:
    """Return the functions that are not entry points, by name in the module, or else by id."""
    entries = {each.function for each in index.entry_points}
    found = [each for each in index.functions.values() if each.blocks and each.id not in entries]
    names = {each.id: _name(index, each) for each in found}
    count = Counter(names.values())
    taken = {each.name for each in index.entry_points}
    return {
        name if name and count[name] == 1 and name not in taken else f"%{each.id}": each
        for each, name in zip(found, names.values(), strict=True)
    }


def source_name(name: str) -> str:
    """Return the name in the source: of `fbm(vf2;i1;` it is `fbm`."""
    return name.partition("(")[0] or name


def names_meant(functions: "dict[str, FunctionBody]", name: str) -> list[str]:
    """Return the names that match a name: itself, an id, or all functions with that source name."""
    if name in functions:
        return [name]
    by_id = [each for each, body in functions.items() if name == f"%{body.id}"]
    return by_id or [each for each in functions if source_name(each) == name]


def short_names(names: Sequence[str]) -> list[str]:
    """Return the names in the source, where they select one function."""
    count = Counter(map(source_name, names))
    return [source_name(each) if count[source_name(each)] == 1 else each for each in names]


def parameter_names(index: ModuleIndex, function: FunctionBody) -> list[str]:
    """Return the names of the parameters; empty for unnamed parameters."""
    declared = _declared(index, function)
    return [index.names.get(each) or declared.get(each, "") for each in function.parameters]


def _name(index: ModuleIndex, function: FunctionBody) -> str:
    linkage = index.decoration(Decoration.LinkageAttributes, function.id)
    if linkage is not None:
        return string_of(linkage.words)[0]
    return index.names.get(function.id) or _described(index, function)


def _described(index: ModuleIndex, function: FunctionBody) -> str:
    """Return the name in debug information."""
    for words in _notes(index, range(function.start, function.end)):
        if words[4] == DEFINITION and len(words) > NAME:
            described = index.definitions.get(words[NAME])
            if described is not None and len(described.words) > NAME:
                return index.string(described.words[NAME])
    for words in _notes(index, range(function.start)):
        if words[4] == FUNCTION and words[-1] == function.id and len(words) > NAME:
            return index.string(words[NAME])
    return ""


def _declared(index: ModuleIndex, function: FunctionBody) -> dict[int, str]:
    """Return the names of the variables that debug information declares, by id."""
    found: dict[int, str] = {}
    for words in _notes(index, range(function.start, function.end)):
        if words[4] in (DECLARE, VALUE) and len(words) > NAME + 1:
            variable = index.definitions.get(words[NAME])
            if variable is not None and len(variable.words) > NAME:
                found.setdefault(words[NAME + 1], index.string(variable.words[NAME]))
    return found


def _notes(index: ModuleIndex, positions: range) -> "list[tuple[int, ...]]":
    """Return the words of the instructions of debug information at some positions."""
    found = index.code[positions.start : positions.stop]
    return [words for words in found if len(words) > 4 and index.is_debug(words)]
