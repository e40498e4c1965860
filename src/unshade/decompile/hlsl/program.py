"""The whole text of a program in HLSL."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...vocab.words import Stage
from ..interface import default_bits
from ..parts import SourceParts, cleared_arrays, folded_constants, initial
from ..printer import Printer
from ..spelling import INDENT
from .declarations import declarations, size_functions
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
    if parts.idioms:
        words = ", ".join(parts.idioms)
        text = f"// written as calls: {words}; each is several operations in the program\n{text}"
    if functions:
        return text + functions
    if parts.kernel.dispatched:
        x, y, z = parts.kernel.group
        text += f"[numthreads({x}, {y}, {z})]\n"
    for each in stage_attributes(parts.lowered, parts.reflection):
        text += f"{each}\n"
    if parts.lowered.early_tests:
        text += "[earlydepthstencil]\n"
    parameters = [*parts.interface.inputs, *parts.places, *parts.interface.outputs]
    taken, streams = point_parameters(parts.points, parts.reflection)
    listed = [*taken, *(target.parameter(each) for each in parameters), *streams]
    head = ",\n".join(f"{INDENT}{each}" for each in listed)
    text += f"void main(\n{head})\n{{\n" if head else "void main()\n{\n"
    for line in _first_lines(parts, printer):
        text += f"{line}\n"
    return text + "".join(f"{each}\n" for each in body) + "}\n"


def _first_lines(parts: SourceParts, printer: Printer) -> Iterator[str]:
    for line in stream_vertices(parts.points):
        yield f"{INDENT}{line}"
    yield from printer.lines([*initial(parts)])
    yield from cleared_arrays(parts, printer.target.type, lambda type: "0")
