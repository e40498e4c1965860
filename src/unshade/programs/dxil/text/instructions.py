"""Instructions as LLVM 3.7 prints them, without result and comment.

`PRINTERS` has a function for each kind of piece that `model/instructions/base.py` lists. Each
function takes the instruction, the writer, the name of the attribute, and the text before it; the
assembler has the inverse in `assembler/instructions.py`.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from ..model.constants import integer_of
from ..model.instructions import Instruction
from ..model.types import IntegerType
from ..tables.llvm_enumerations import ATOMIC_OPERATIONS, ORDERINGS, PREDICATES
from .attributes import attributes_at, function_attributes
from .constants import flags_text
from .conventions import convention_text
from .writer import TextWriter

__all__ = ["instruction_text"]

SINGLE_THREAD = 0
MARKS = ("", "tail ", "musttail ")

Made: TypeAlias = Any  # an instruction, with the attributes that its class declares
Printer: TypeAlias = Callable[[Made, TextWriter], str]


def instruction_text(instruction: Instruction, writer: TextWriter) -> str:
    """Return an instruction from its opcode on, without attached metadata."""
    text = instruction.opcode
    for piece in _pieces(instruction.TEXT):
        text += piece(instruction, writer)
    mark = getattr(instruction, "tail", 0)
    return f"{MARKS[min(mark, 2)]}{text}" if mark else text


@cache
def _pieces(text: str) -> list[Printer]:
    """Return the functions that print the pieces of a text."""
    found: list[Printer] = []
    before = ""
    for piece in text.split():
        name, _, kind = piece.partition(":")
        if not kind:
            before += piece if piece == "," else f" {piece}"
            continue
        kind, _, other = kind.partition(":")
        if kind in PRINTERS:
            found.append(PRINTERS[kind](name, before, other))
            before = ""
    return found


def _typed(name: str, before: str, other: str) -> Printer:
    before += " "

    def printed(made: Made, writer: TextWriter) -> str:
        value = getattr(made, name)
        return f"{before}{writer.type(value.type)} {writer.operand(value)}"

    return printed


def _typeds(name: str, before: str, other: str) -> Printer:
    return lambda made, writer: "".join(f", {writer.typed(each)}" for each in getattr(made, name))


def _operand(name: str, before: str, other: str) -> Printer:
    """Print a value after another; LLVM prints a type once if both operands share it."""
    before += " "

    def printed(made: Made, writer: TextWriter) -> str:
        value = getattr(made, name)
        if value.type is not getattr(made, other).type:
            return before + writer.typed(value)
        return before + writer.operand(value)

    return printed


def _type(name: str, before: str, other: str) -> Printer:
    return lambda made, writer: f"{before} {writer.type(getattr(made, name))}"


def _word(name: str, before: str, other: str) -> Printer:
    return lambda made, writer: f" {name}" if getattr(made, name) else ""


def _flags(name: str, before: str, other: str) -> Printer:
    return lambda made, writer: (
        flags_text(made.opcode, made.flags, exact=writer.exact) if made.flags else ""
    )


def _name(names: dict[int, str]) -> Callable[[str, str, str], Printer]:
    return lambda name, before, other: lambda made, writer: f" {names[getattr(made, name)]}"


def _numbers(name: str, before: str, other: str) -> Printer:
    return lambda made, writer: "".join(f", {each}" for each in getattr(made, name))


def _returned(name: str, before: str, other: str) -> Printer:
    return lambda made, writer: f" {writer.typed(made.value)}" if made.value else " void"


def _branch(made: Made, writer: TextWriter) -> str:
    target = writer.typed(made.target)
    if made.condition is None or made.false_target is None:
        return f" {target}"
    return f" {writer.typed(made.condition)}, {target}, {writer.typed(made.false_target)}"


def _cases(made: Made, writer: TextWriter) -> str:
    typed = writer.typed
    cases = "".join(f"\n    {typed(value)}, {typed(block)}" for value, block in made.cases)
    return f" [{cases}\n  ]"


def _labels(name: str, before: str, other: str) -> Printer:
    return lambda made, writer: f"{before} [{', '.join(map(writer.typed, getattr(made, name)))}]"


def _incoming(made: Made, writer: TextWriter) -> str:
    operand = writer.operand
    pairs = (f"[ {operand(value)}, {operand(block)} ]" for value, block in made.incoming)
    return f" {', '.join(pairs)}"


def _call(made: Made, writer: TextWriter) -> str:
    """Return convention, result, callee, arguments and attributes of a call."""
    attributes, type = made.attributes, made.function_type
    convention = convention_text(made.convention)
    result = writer.type(type if type.vararg else type.result)
    callee = writer.operand(made.callee)
    if attributes is None:
        arguments = ", ".join(map(writer.typed, made.arguments))
        return f" {convention}{result} {callee}({arguments})"
    before = writer.inline(attributes_at(attributes, 0)).lstrip()
    arguments = ", ".join(
        f"{writer.type(each.type)}{writer.inline(attributes_at(attributes, index))} "
        f"{writer.operand(each)}"
        for index, each in enumerate(made.arguments, 1)
    )
    group = writer.group(function_attributes(attributes))
    before += " " if before else ""
    return f" {convention}{before}{result} {callee}({arguments}){group}"


def _count(made: Made, writer: TextWriter) -> str:
    """Return the number of values of an alloca, if it is not an i32 of 1."""
    count = made.count
    width = count.type.width if isinstance(count.type, IntegerType) else 0
    return "" if width == 32 and integer_of(count) == 1 else f", {writer.typed(count)}"


def _align(made: Made, writer: TextWriter) -> str:
    return f", align {made.alignment}" if made.alignment else ""


def _ordering(made: Made, writer: TextWriter) -> str:
    if not made.ordering:
        return ""
    scope = " singlethread" if made.scope == SINGLE_THREAD else ""
    return f"{scope} {ORDERINGS[made.ordering]}"


def _clauses(made: Made, writer: TextWriter) -> str:
    lines = ["\n          cleanup"] if made.cleanup else []
    for kind, clause in zip(made.kinds, made.clauses, strict=False):
        lines.append(f"\n          {'filter' if kind else 'catch'} {writer.typed(clause)}")
    return "".join(lines)


# By kind: the function that makes the printer of a piece of the text.
PRINTERS: dict[str, Callable[[str, str, str], Printer]] = {
    "align": lambda *_: _align,
    "atomic": lambda *_: lambda made, writer: " atomic" if made.ordering else "",
    "atomic_operation": _name(ATOMIC_OPERATIONS),
    "branch": lambda *_: _branch,
    "call": lambda *_: _call,
    "cases": lambda *_: _cases,
    "cast": _type,
    "clauses": lambda *_: _clauses,
    "continued": lambda *_: lambda made, writer: f"\n          to {writer.typed(made.normal)}",
    "count": lambda *_: _count,
    "flags": _flags,
    "inbounds": _word,
    "incoming": lambda *_: _incoming,
    "label": _typed,
    "labels": _labels,
    "maybe_ordering": lambda *_: _ordering,
    "numbers": _numbers,
    "operand": _operand,
    "ordering": lambda *_: _ordering,
    "ordering_name": _name(ORDERINGS),
    "predicate": _name(PREDICATES),
    "returned": _returned,
    "type": _type,
    "typed": _typed,
    "typeds": _typeds,
    "word": _word,
}
