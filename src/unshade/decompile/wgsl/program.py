"""The whole text of a program in WGSL."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...errors import UnsupportedError
from ...ir.ops import OPS
from ...ir.textures import Action, Level
from ...vocab.words import Stage
from ..expressions import at_line
from ..interface import default_bits
from ..operations import SOURCE_OPS
from ..parts import SourceParts, folded_constants, group_constants
from ..printer import Printer
from ..resources.declared import is_ordered
from ..spelling import INDENT, Rank
from ..structure import changed, inner_lines
from ..tree import (
    Choice,
    Define,
    Evaluate,
    JumpLine,
    Leave,
    Line,
    NodeForm,
    Once,
    ScalarKind,
    SourceExpression,
)
from .declarations import ResourceText, atomic_buffers, lane_arrays, layered_images
from .entry import CONSTANT, LocatedPort, built_in_text, opening, ports, reads_w

if TYPE_CHECKING:
    from .target import WgslTarget
from .waves import lane_sources, uses_subgroups

__all__ = ["program"]

STAGES = {Stage.PIXEL: "fragment", Stage.VERTEX: "vertex"}

ROW = """\
fn {0}(i: u32) -> {1} {{
    if (i < {2}u) {{
        return {3}[i];
    }}
    return {1}();
}}"""
DERIVATIVES = frozenset({
    SOURCE_OPS.ddx_fine, SOURCE_OPS.ddy_fine, SOURCE_OPS.ddx_coarse, SOURCE_OPS.ddy_coarse,
})  # fmt: skip


class WgslPrinter(Printer):
    """Prints lines of WGSL, whose definitions and jumps have other words."""

    result: str = ""  # what the entry point returns
    target: "WgslTarget"

    def ranked(self, value: SourceExpression) -> tuple[str, Rank]:
        """Return an expression and its precedence; a variable of a buffer is a member of it."""
        if value.op is NodeForm.NAME and value.attr in self.target.members:
            return self.target.members[str(value.attr)], Rank.PRIMARY
        if value.op is NodeForm.INDEX and value.args[1].op is not NodeForm.LITERAL:
            table = value.args[0]
            if table.op is NodeForm.NAME and str(table.attr) in self.target.tables:
                return self._row(str(table.attr), value), Rank.PRIMARY
        text, rank = Printer.ranked(self, value)
        if value.op is NodeForm.INDEX and self._is_word(value):
            return f"atomicLoad(&{text})", rank
        return text, rank

    def _row(self, table: str, value: SourceExpression) -> str:
        """Return the call of a function that returns a row of a table, 0 beyond its end."""
        type, count = self.target.tables[table]
        label = self.target.rows.get(table)
        if label is None:
            assert self.target.names is not None
            label = self.target.rows[table] = self.target.names.unique(f"{table}_row")
            self.target.defined[label] = ROW.format(label, type, count, table)
        index, own = value.args[1], self.target.type(value.type)
        unsigned = index.type._replace(kind=ScalarKind.UINT)
        if index.type != unsigned:
            index = SourceExpression(NodeForm.CONVERT, unsigned, (index,))
        text = f"{label}({self.text(index)})"
        return text if own == type else f"{own}({text})"

    def _is_word(self, value: SourceExpression) -> bool:
        """Return True for an atomic word of an array of the group."""
        depth, root = 0, value
        while root.op is NodeForm.INDEX:
            depth, root = depth + 1, root.args[0]
        return root.op is NodeForm.NAME and self.target.atomics.get(str(root.attr)) == depth

    def definition(self, each: Define) -> str:
        """Return a definition, without a semicolon."""
        type = self.target.type(each.type)
        word = "var" if each.name in self.target.kept else "let"
        if each.value is None:
            return f"var {each.name}: {type}"
        return f"{word} {each.name}: {type} = {self.assigned(each.type, each.value)}"

    def jump(self, how: Leave) -> str:
        """Return a jump, without a semicolon."""
        if how is Leave.RETURN:
            return f"return {self.result}" if self.result else "return"
        return how.value

    def lines(self, lines: Sequence[Line], depth: int = 1) -> Iterator[str]:
        """Yield the text of lines, indented; a refusal names the line of the listing."""
        for each in lines:
            try:
                yield from Printer.lines(self, [each], depth)
            except UnsupportedError as error:
                raise at_line(error, each.line) from None

    def once(self, each: Once, depth: int, note: str) -> Iterator[str]:
        """Yield the text of a body that a `break` leaves."""
        pad = INDENT * depth
        yield f"{pad}loop {{{note}"
        yield from self.lines(each.body, depth + 1)
        if not _leaves(each.body):
            yield f"{pad}{INDENT}break;"
        yield f"{pad}}}"

    def choice(self, each: Choice, depth: int, note: str) -> Iterator[str]:
        """Yield the text of a switch, which always has a default."""
        pad = INDENT * depth
        yield f"{pad}switch ({self.text(each.value)}) {{{note}"
        type = each.value.type.wide(1)
        has_default = False
        for labels, body in each.cases:
            has_default |= None in labels
            words = ", ".join(
                "default" if label is None else self.number(label, type) for label in labels
            )
            yield f"{pad}case {words}: {{"
            yield from self.lines(body, depth + 1)
            yield f"{pad}}}"
        if not has_default:
            yield f"{pad}default: {{\n{pad}}}"
        yield f"{pad}}}"


def _leaves(lines: Sequence[Line]) -> bool:
    """Return True if lines end with a jump; a discarded lane goes on, as a helper."""
    return bool(lines) and isinstance(lines[-1], JumpLine) and lines[-1].how is not Leave.DISCARD


def program(target: "WgslTarget", parts: SourceParts) -> str:
    """Return the source."""
    interface = parts.interface
    built_in = {each.builtin for each in interface.outputs}
    if parts.kernel.stage is Stage.VERTEX and "position" not in built_in:
        raise UnsupportedError("WGSL has no vertex shaders without a position")
    if is_ordered(parts.resources):
        raise UnsupportedError("WGSL has no order of the lanes of one pixel")
    printer = WgslPrinter(target, parts.exact, parts.numbers)
    inputs, outputs = ([*ports(parts, each)] for each in (interface.inputs, interface.outputs))
    fragment = parts.names.unique("fragment_position")
    first = [*opening(parts, inputs, fragment)]
    _drop_results(parts.body)
    target.kept = changed([*first, *parts.body])
    target.atomics = atomic_buffers(parts)
    target.layered = layered_images(parts)
    resources = ResourceText(target, parts, printer, target.bindings)
    declared = resources.lines()
    members = [built_in_text(each, target.type(each.type), each.name) for each in interface.outputs
               if each.builtin and each.builtin != CONSTANT]  # fmt: skip
    members += [f"{each.attributes} {each.name}: {target.type(each.type)}" for each in outputs]
    printer.result = _result(target, parts, outputs) if members else ""
    lines = [f"{INDENT}var {each.name}: {target.type(each.type)};" for each in interface.outputs]
    lines += lane_arrays(target, parts)
    lines += printer.lines([*first, *parts.body])
    if printer.result and not _leaves(parts.body):
        lines.append(f"{INDENT}return {printer.result};")
    sections = []
    if uses_subgroups(parts.kernel):
        sections.append("enable subgroups;")
        if any(inner_lines(each) for each in parts.body):
            sections.append("diagnostic(off, subgroup_uniformity);")
    if _loses_quads(parts):
        sections.append("diagnostic(off, derivative_uniformity);")
    named, constants = _constants(target, parts, printer)
    sections += [*folded_constants(parts, True), *constants]
    if members:
        inner = "".join(f"{INDENT}{each},\n" for each in members)
        declared.insert(0, f"struct Outputs {{\n{inner}}}")
    declared += (
        f"var<private> {name}: u32 = {bits:#x}u;" for bits, name in target.specials.items()
    )
    sections += [*declared, *resources.sizes(), *target.defined.values()]
    head = _head(target, parts, inputs, fragment, named)
    returned = " -> Outputs" if members else ""
    body = "".join(f"{each}\n" for each in lines)
    start = "\n".join(sections)
    return f"{start}\n\n{head}{returned} {{\n{body}}}\n"


def _result(target: "WgslTarget", parts: SourceParts, outputs: Sequence[LocatedPort]) -> str:
    """Return the value that the entry point returns."""
    outputs_ = parts.interface.outputs
    values = [each.name for each in outputs_ if each.builtin and each.builtin != CONSTANT]
    for port in outputs:
        if [each.name for each in port.parameters] == [port.name]:
            values.append(port.name)
            continue
        letters = ["0"] * port.type.width
        for each in port.parameters:
            for at in sorted({*each.ports.values()}):  # others are parts of another parameter
                part = f".{'xyzw'[at]}" if each.type.width > 1 else ""
                letters[each.first + at] = f"{each.name}{part}"
        values.append(f"{target.type(port.type)}({', '.join(letters)})")
    return f"Outputs({', '.join(values)})"


def _head(
    target: "WgslTarget",
    parts: SourceParts,
    inputs: Sequence[LocatedPort],
    fragment: str,
    sized: Mapping[int, str],
) -> str:
    """Return the entry point up to its parameters; `sized` names specialisation constants."""
    kernel = parts.kernel
    listed = []
    for each in (*parts.interface.inputs, *parts.places):
        word = each.builtin or (each.name if each in parts.places else "")
        if word:
            label = fragment if reads_w(each, kernel) else each.name
            listed.append(f"@builtin({target.words.get(word, word)}) {label}: "
                          f"{target.type(each.type)}")  # fmt: skip
    listed += [f"@builtin({word}) {word}: u32" for word in lane_sources(kernel)]
    listed += [f"{each.attributes} {each.name}: {target.type(each.type)}" for each in inputs]
    stage = STAGES.get(Stage(str(kernel.stage)))
    start = f"@{stage}"
    if stage is None:
        ids = zip(kernel.group, group_constants(parts), strict=True)
        sizes = [f"{size}" if id is None else sized[id] for size, id in ids]
        start = f"@compute @workgroup_size({', '.join(sizes)})"
    inner = "".join(f"{INDENT}{each},\n" for each in listed)
    return f"{start}\nfn main(\n{inner})" if listed else f"{start}\nfn main()"


def _constants(
    target: "WgslTarget", parts: SourceParts, printer: Printer
) -> tuple[dict[int, str], list[str]]:
    """Return the names of the specialisation constants by their ids, and the declarations."""
    named: dict[int, str] = {}
    defaults: dict[int, int] = {}
    lines: list[str] = []
    for each in parts.interface.constants:
        value = printer.number(default_bits(each, parts.reflection), each.type)
        type = target.type(each.type)
        lines.append(f"@id({each.index}) override {each.name}: {type} = {value};")
        named[each.index] = each.name
        defaults[each.index] = default_bits(each, parts.reflection)
    for axis, id, size in zip("xyz", group_constants(parts), parts.kernel.group, strict=True):
        if id is not None and id not in named:
            named[id] = parts.names.unique(f"group_{axis}")
            lines.append(f"@id({id}) override {named[id]}: u32 = {size}u;")
        elif id is not None and defaults.get(id, size) != size:
            raise UnsupportedError(f"specialisation constant {id} has two defaults, WGSL one")
    return named, lines


def _drop_results(lines: Sequence[Line]) -> None:
    """Give calls whose result nothing uses the type of the result: a conversion must be used."""
    waiting = [*lines]
    while waiting:
        line = waiting.pop()
        if isinstance(line, Evaluate) and line.value.op in (NodeForm.ATOMIC, NodeForm.COUNTER):
            value = line.value
            kind = ScalarKind.UINT if value.op is NodeForm.COUNTER else value.args[0].type.kind
            value.type = value.type._replace(kind=kind)
        for inner in inner_lines(line):
            waiting += inner


def _loses_quads(parts: SourceParts) -> bool:
    """Return True if derivatives may be computed where not all lanes of a quad are active.

    WGSL has an analysis that refuses such code, also where it is right.
    """
    implicit = any(
        value.op in DERIVATIVES
        or (
            value.op is OPS.sample
            and value.attr.action is Action.SAMPLE
            and value.attr.level in (Level.AUTO, Level.BIAS)
        )
        for value in parts.kernel.values()
    )
    return implicit and any(inner_lines(each) for each in parts.body)
