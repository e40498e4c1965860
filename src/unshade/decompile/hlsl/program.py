"""The whole text of a program in HLSL."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...vocab.words import COUNTED_FROM, Stage, SystemValue
from ..interface import POINTED, EntryParameter, default_bits
from ..parts import SourceParts, cleared_arrays, folded_constants, initial
from ..printer import Printer
from ..returns import returning
from ..spelling import INDENT
from .declarations import declarations, size_functions
from .groups import group_attributes, group_parameters
from .stages import (
    hull_functions,
    point_parameters,
    point_structures,
    stage_attributes,
    stream_vertices,
)

if TYPE_CHECKING:
    from .target import Hlsl

__all__ = ["program"]


def program(target: "Hlsl", parts: SourceParts) -> str:
    """Return the source."""
    printer = Printer(target, parts.exact, parts.numbers)
    functions = ""
    returned = _returned(parts)
    if parts.kernel.stage is Stage.HULL:
        functions, body = hull_functions(target, parts, printer), []
    else:
        body = [*printer.lines(parts.body)]
    context = parts.resources
    constants = [
        f"[[vk::constant_id({each.index})]] const {target.type(each.type)} {each.name} = "
        f"{printer.number(default_bits(each, parts.reflection), each.type)};"
        for each in parts.interface.constants
    ]
    resources = [*declarations(context, parts.kinds, printer.number, target.type)]
    found = [
        *folded_constants(parts, False),
        *constants,
        *context.structures,
        *resources,
        *size_functions(context),
    ]
    found += point_structures(target, parts.points)
    found += [*target.casts.values(), *printer.helpers.values()]
    text = "\n".join(found) + "\n\n" if found else ""
    text = "".join(f"// {each}\n" for each in parts.notes) + text
    if parts.idioms:
        words = ", ".join(parts.idioms)
        text = f"// written as calls: {words}; each is several operations in the program\n{text}"
    if functions:
        return text + functions
    if parts.kernel.dispatched:
        x, y, z = parts.kernel.group
        text += f"[numthreads({x}, {y}, {z})]\n"
    attributes = stage_attributes(parts.lowered, parts.reflection)
    for each in (*group_attributes(parts.points), *attributes):
        text += f"{each}\n"
    if parts.lowered.early_tests:
        text += "[earlydepthstencil]\n"
    result, semantic = "void", ""
    parameters = [*parts.interface.inputs, *parts.places]
    if returned is None:
        parameters += parts.interface.outputs
    else:
        result = target.type(returned.type)
        semantic = f" : {target.semantic(returned)}"
    if parts.kernel.stage is Stage.MESH:
        taken, streams = group_parameters(target, parts)
    else:
        taken, streams = point_parameters(parts.points, parts.reflection)
    dual = any(each.blend for each in parts.interface.outputs)
    listed = [*taken, *(target.parameter(each, dual) for each in parameters), *streams]
    head = ",\n".join(f"{INDENT}{each}" for each in listed)
    listed_text = f"\n{head}" if head else ""
    text += f"{result} main({listed_text}){semantic}\n{{\n"
    for line in _first_lines(parts, printer, returned is None):
        text += f"{line}\n"
    return text + "".join(f"{each}\n" for each in body) + "}\n"


def _returned(parts: SourceParts) -> EntryParameter | None:
    """Return the only output of a readable source, whose body returns its value from here on.

    An exact source has an output: the value of an expression that is returned is not precise.
    """
    outputs = parts.interface.outputs
    if parts.exact or len(outputs) != 1 or parts.kernel.stage in POINTED:
        return None
    if outputs[0].meaning is SystemValue.POINT_SIZE:  # needs a comment
        return None
    found = returning(parts.body, outputs[0])
    if found is None:
        return None
    parts.body = found
    return outputs[0]


def _first_lines(parts: SourceParts, printer: Printer, has_outputs: bool) -> Iterator[str]:
    for line in stream_vertices(parts.points):
        yield f"{INDENT}{line}"
    given = {each.meaning: each for each in parts.interface.inputs if each.by_register}
    for number, first in COUNTED_FROM.items():
        if number in given and first in given:
            yield f"{INDENT}{given[number].name} += {given[first].name};"
    if has_outputs:
        yield from printer.lines([*initial(parts)])
    yield from cleared_arrays(parts, printer.target.type, lambda type: "0")
