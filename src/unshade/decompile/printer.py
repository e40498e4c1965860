"""Printing of source trees; a target gives the spellings.

    Define("r", float3, fmul(a, literal 2.0))     ->     float3 r = a * 2.0;

The printer is the same for all targets; it puts parentheses only where precedence needs them.
"""

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from ..dataclass import dataclass, field, replace
from ..errors import UnsupportedError
from ..ir.kernel import KernelIR
from ..ir.ops import OPS, Op
from ..ir.simplify.identities import COMMUTE
from ..ir.waves import Wave
from ..vocab.words import Stage
from .interface import EntryInterface
from .names import DecompiledNames
from .parts import SourceParts
from .points import PointSets
from .resources.context import BufferRules
from .spelling import (
    INDENT,
    CallSpelling,
    Helper,
    Infix,
    Prefix,
    Rank,
    Spelling,
    Spellings,
    float_text,
)
from .structure import trailing_test
from .tree import (
    RESOURCE_FORMS,
    Assign,
    BranchLine,
    Choice,
    Define,
    Evaluate,
    JumpLine,
    Leave,
    Line,
    NodeForm,
    Once,
    Repeat,
    ScalarKind,
    SourceExpression,
    TermType,
)

__all__ = ["Printer", "SourceTarget", "Target"]

LETTERS = "xyzw"
LETTERS_OF_KINDS = {
    "U": ScalarKind.UINT, "F": ScalarKind.FLOAT, "I": ScalarKind.INT, "B": ScalarKind.BOOL,
}  # fmt: skip
EXPONENT = {16: 0x7C00, 32: 0x7F80_0000, 64: 0x7FF0 << 48}
WORD_BITS, HALF_BITS = 32, 16
INTEGERS = (ScalarKind.INT, ScalarKind.UINT)
CONVERSIONS = frozenset({
    OPS.ftoi, OPS.ftou, OPS.itof, OPS.utof, OPS.fconv, OPS.iconv, OPS.uconv,
})  # fmt: skip
FUNCTION = re.compile(r"([\w]+) (\w+)\((.*)\) \{")
ASSOCIATIVE = frozenset({OPS.and_, OPS.or_, OPS.xor, OPS.iadd, OPS.imul})
SUMS = frozenset({OPS.fadd, OPS.fsub})
MIRRORED = {"<": ">", "<=": ">="}
SMALL = 1 << 16  # literals of at least this are written in hexadecimal


class SourceTarget(BufferRules, Protocol):
    """The part of a target that the steps before the text need."""

    stages: frozenset[Stage]  # that can be written
    reserved: frozenset[str]  # words that names must not be
    sources: Mapping[str, str]  # expressions of positions of the lane that are no parameters
    indexed_resources: bool  # arrays of resources have indices that differ between lanes
    unbounded_resources: bool  # arrays of resources without a size can be declared
    helper_lanes: bool  # can take part in operations of waves

    def adapt(self, interface: EntryInterface, kernel: KernelIR, points: PointSets) -> None:
        """Change parameters and members of points to the built-ins of the language."""

    def place_name(self, names: DecompiledNames, word: str) -> str:
        """Return the name of a position of the lane, `thread_id`."""

    def program(self, parts: SourceParts) -> str:
        """Return the whole text."""


class Target(SourceTarget, Protocol):
    """The differences between languages that are printed."""

    spellings: Spellings
    precise: str  # a qualifier that forbids other roundings, with a space behind, or ""
    discard: str  # the statement that makes a pixel a helper
    broadcasts: bool  # a scalar may be assigned to a vector
    by_rows: bool  # the index of a matrix is that of a row
    endings: Mapping[tuple[ScalarKind, int], str]  # of literals that are not of 32 bits
    truncates_halves: bool  # a compiler drops what a half has no bits for, and does not round
    trailing_tests: bool  # has `do … while`
    componentwise: bool  # helpers for vectors call those for scalars
    functions: Mapping[str, str]  # names of functions that are called otherwise in HLSL

    def type(self, type: TermType) -> str:
        """Return the name of a type."""

    def bits(self, type: TermType, text: str, of: TermType) -> str:
        """Return the call that casts bits."""

    def special(self, bits: int, type: TermType) -> str:
        """Return a float without a decimal spelling: an infinity, NaN or a subnormal number."""

    def widened(self, printer: "Printer", value: SourceExpression, width: int) -> str:
        """Return a vector with a scalar in every component."""

    def select(self, printer: "Printer", value: SourceExpression) -> tuple[str, Rank]:
        """Return a choice between two values."""

    def compare(self, printer: "Printer", value: SourceExpression) -> tuple[str, Rank] | None:
        """Return a comparison of vectors, if it is not spelled like a comparison of scalars."""

    def operation(self, printer: "Printer", value: SourceExpression) -> tuple[str, Rank] | None:
        """Return an operation that no row of `spellings` describes; None for others."""

    def access(self, printer: "Printer", value: SourceExpression) -> tuple[str, Rank]:
        """Return an access to a resource: a value of RESOURCE_FORMS."""

    def stored(self, printer: "Printer", line: Assign) -> str:
        """Return an assignment to a resource; nothing if it is spelled as other assignments."""

    def definition(self, printer: "Printer", line: Define) -> "Sequence[str]":
        """Return a definition by several statements; nothing if one statement suffices."""


@dataclass(slots=True)
class Printer:
    """Prints expressions and lines; collects the helper functions used."""

    target: Target
    exact: bool = True
    numbers: bool = False  # comments with the lines of the listing
    result: str = ""  # the variable that the function returns
    helpers: dict[tuple[str, str], str] = field(default_factory=dict)

    # ------------------------------------------------------------ expressions

    def text(self, value: SourceExpression, rank: Rank = Rank.SELECT) -> str:
        """Return an expression, in parentheses if it binds less tightly than `rank`."""
        text, own = self.ranked(value)
        return f"({text})" if own < rank else text

    def ranked(self, value: SourceExpression) -> tuple[str, Rank]:
        """Return an expression and its precedence."""
        target = self.target
        match value.op:
            case NodeForm.LITERAL:
                return self.literal(value)
            case NodeForm.NAME:
                return str(value.attr), Rank.PRIMARY
            case NodeForm.SWIZZLE:
                letters = "".join(LETTERS[each] for each in value.attr)
                whole = value.args[0]
                if whole.op is NodeForm.LINE and len(letters) == 1 and target.by_rows:
                    matrix, number = self.text(whole.args[0], Rank.PRIMARY), whole.args[1].attr[0]
                    place = value.attr[0], number
                    row, column = place if whole.attr.by_column else place[::-1]
                    return f"{matrix}[{row}][{column}]", Rank.PRIMARY
                if whole.type.width == 1:
                    return self.widened(whole, len(letters)), Rank.PRIMARY
                text = self.text(whole, Rank.PRIMARY)
                if whole.op is NodeForm.TEXEL:  # of four components, of which an image has some
                    text = text.removesuffix(f".{LETTERS[: whole.type.width]}")
                return f"{text}.{letters}", Rank.PRIMARY
            case NodeForm.CONSTRUCT:
                parts = ", ".join(self.text(each) for each in value.args)
                return f"{target.type(value.type)}({parts})", Rank.PRIMARY
            case NodeForm.BITS:
                return target.bits(
                    value.type, self.text(value.args[0]), value.args[0].type
                ), Rank.PRIMARY
            case NodeForm.CONVERT:
                return f"{target.type(value.type)}({self.text(value.args[0])})", Rank.PRIMARY
            case NodeForm.INDEX:
                base, index = value.args
                return f"{self.text(base, Rank.PRIMARY)}[{self.text(index)}]", Rank.PRIMARY
            case NodeForm.MEMBER:
                return f"{self.text(value.args[0], Rank.PRIMARY)}.{value.attr}", Rank.PRIMARY
            case NodeForm.CALL:
                word = target.functions.get(value.attr, value.attr)
                if word.startswith("("):
                    return f"{word}{self.text(value.args[0], Rank.UNARY)}", Rank.UNARY
                return f"{word}({self.list(value.args)})", Rank.PRIMARY
            case OPS.select:
                return target.select(self, value)
        if value.op in RESOURCE_FORMS:
            return target.access(self, value)
        return self._operation(value)

    def list(self, values: Sequence[SourceExpression]) -> str:
        """Return operands, separated by commas."""
        return ", ".join(self.text(each) for each in values)

    def _operation(self, value: SourceExpression) -> tuple[str, Rank]:
        op = value.op
        target = self.target
        own = target.operation(self, value)
        if own is not None:
            return own
        if op in CONVERSIONS and op not in target.spellings:
            return f"{target.type(value.type)}({self.text(value.args[0])})", Rank.PRIMARY
        if op is OPS.fcanonicalise:  # arithmetic that changes subnormal numbers and NaN only
            one = "1.0" + target.endings.get((value.type.kind, value.type.bits), "")
            return f"{self.text(value.args[0], Rank.MULTIPLY)} * {one}", Rank.MULTIPLY
        if value.type.kind is ScalarKind.BOOL:
            found = target.compare(self, value)
            if found is not None:
                return found
        is_bool = value.type.kind is ScalarKind.BOOL
        spelling = self._spelling(value)
        match spelling:
            case Infix():
                return self.infix(value, spelling)
            case Prefix() if op is OPS.not_ and is_bool and value.args[0].op is OPS.xor:
                return self.infix(value.args[0], Infix("==", Rank.EQUAL))
            case Prefix():
                inner = self.text(value.args[0], Rank.UNARY)
                space = " " if inner.startswith(spelling.word) else ""
                return f"{spelling.word}{space}{inner}", Rank.UNARY
            case CallSpelling():
                self._check_bits(value, spelling)
                width = max((each.type.width for each in value.args), default=1)
                whole = spelling.whole and not target.broadcasts
                args = [
                    self.widened(each, width) if whole else self.text(each) for each in value.args
                ]
                return f"{spelling.word}({', '.join(args)})", Rank.PRIMARY
            case Helper():
                self._check_bits(value, spelling)
                return self._helper(value, spelling), Rank.PRIMARY
        raise UnsupportedError(f"{op_word(op)}{' of bools' * is_bool} cannot be decompiled yet")

    def _check_bits(self, value: SourceExpression, spelling: CallSpelling | Helper) -> None:
        """Refuse a function for integers of one width for those of another."""
        for each in (value.type, *(arg.type for arg in value.args)) if spelling.bits else ():
            if each.kind in INTEGERS and each.bits != spelling.bits:
                what = f"{op_word(value.op)} of {each.bits} bits"
                raise UnsupportedError(f"{what} cannot be decompiled yet")

    def _spelling(self, value: SourceExpression) -> Spelling | None:
        op, spellings = value.op, self.target.spellings
        if isinstance(value.attr, Wave):
            if value.attr.cluster:
                return None
            return spellings.get(op if value.attr.op is None else (op, value.attr.op))
        if op is OPS.quad_swap:
            return spellings.get((op, value.attr))
        kind = value.args[0].type.kind if value.args else None
        bits = value.type.bits
        return spellings.get((op, kind)) or spellings.get((op, bits)) or spellings.get(op)

    def widened(self, value: SourceExpression, width: int) -> str:
        """Return an operand as a vector of a width."""
        if value.type.width == width:
            return self.text(value)
        if value.op is NodeForm.LITERAL:
            return self.text(
                SourceExpression(NodeForm.LITERAL, value.type.wide(width), (), value.attr * width)
            )
        return self.target.widened(self, value, width)

    def _helper(self, value: SourceExpression, helper: Helper) -> str:
        type = value.type if value.args[0].type.kind is value.type.kind else value.args[0].type
        width = max(each.type.width for each in value.args)
        whole = _filled(helper.text, self.target, type.wide(width))
        args = ", ".join(self.widened(each, width) for each in value.args)
        key = helper.word, self.target.type(type.wide(width))
        if self.target.componentwise and width > 1 and not helper.declared:
            scalar = _filled(helper.text, self.target, type.wide(1))
            self.helpers.setdefault((helper.word, self.target.type(type.wide(1))), scalar)
            whole = _componentwise(whole, width)
        self.helpers.setdefault(key, whole)
        return f"{helper.word}({args})"

    def infix(self, value: SourceExpression, spelling: Infix) -> tuple[str, Rank]:
        """Return an operation with an operator between its operands."""
        a, b = value.args
        word, rank = spelling.word, spelling.rank
        if word in MIRRORED and a.op is NodeForm.LITERAL and b.op is not NodeForm.LITERAL:
            a, b, word = b, a, MIRRORED[word]
        if value.op in (OPS.fadd, OPS.iadd):
            if value.op is OPS.fadd and b.op in SUMS and a.op not in SUMS:
                a, b = b, a  # the sum that is computed first is written first
            less = opposite(a) or opposite(b)
            if less is not None:
                a, b, word = (b if opposite(a) else a), less, "-"
            elif b.op in (OPS.fneg, OPS.ineg):
                b, word = b.args[0], "-"
            elif a.op in (OPS.fneg, OPS.ineg):
                a, b, word = b, a.args[0], "-"
            else:
                positive = negated(b)
                if positive is not None:
                    b, word = positive, "-"
        tighter = Rank(rank + 1)
        right = rank if value.op in ASSOCIATIVE and word != "-" and b.op is value.op else tighter
        if value.op in (OPS.and_, OPS.or_, OPS.xor) and value.type.kind is not ScalarKind.BOOL:
            # Parentheses that nobody remembers the need of.
            left = rank if a.op is value.op else Rank.UNARY
            return f"{self.text(a, left)} {word} {self.text(b, max(right, Rank.UNARY))}", rank
        if (
            rank is Rank.SHIFT
            and b.op is NodeForm.LITERAL
            and WORD_BITS < b.type.bits > max(b.attr)
        ):
            # A count may have another width than the number that is shifted.
            b = SourceExpression(b.op, b.type._replace(bits=WORD_BITS), b.args, b.attr)
        if rank is Rank.SHIFT or value.op is OPS.xor:
            return f"{self.text(a, Rank.UNARY)} {word} {self.text(b, Rank.UNARY)}", rank
        left_rank = Rank.AND if word == "||" and a.op is not value.op else rank
        return f"{self.text(a, left_rank)} {word} {self.text(b, right)}", rank

    # ------------------------------------------------------------ literals

    def literal(self, value: SourceExpression) -> tuple[str, Rank]:
        """Return a literal: a number, or a vector of numbers."""
        type = value.type
        parts = [self.number(each, type) for each in value.attr]
        if len(parts) == 1:
            rank = Rank.UNARY if parts[0].startswith("-") else Rank.PRIMARY
            return parts[0], rank
        if len(set(parts)) == 1 and not self.target.broadcasts:
            parts = parts[:1]
        return f"{self.target.type(type)}({', '.join(parts)})", Rank.PRIMARY

    def number(self, bits: int, type: TermType) -> str:
        """Return a scalar literal with these bits."""
        match type.kind:
            case ScalarKind.BOOL:
                return "true" if bits else "false"
            case ScalarKind.INT | ScalarKind.UINT if type.bits < WORD_BITS:
                # Beside a literal of 32 bits, numbers would be taken for such.
                return self._narrow(bits, type)
            case ScalarKind.UINT:
                ending = self.target.endings.get((type.kind, type.bits), "u")
                return f"{bits}{ending}" if bits < 0x1_0000 else f"{bits:#x}{ending}"
            case ScalarKind.INT:
                half = 1 << type.bits - 1
                number = bits - 2 * half if bits & half else bits
                if -half < number < 0x1_0000 and number > -0x1_0000:
                    return f"{number}{self.target.endings.get((type.kind, type.bits), '')}"
                ending = self.target.endings.get((ScalarKind.UINT, type.bits), "u")
                return f"{self.target.type(type.wide(1))}({bits:#x}{ending})"
        exponent = EXPONENT[type.bits]
        if bits & exponent == exponent or (
            not bits & exponent and bits & exponent - 1 and bits != 1 << type.bits - 1
        ):
            return self.target.special(bits, type)
        code = {16: "<e", 32: "<f", 64: "<d"}[type.bits]
        size = type.bits // 8
        (number_,) = struct.unpack(code, bits.to_bytes(size, "little"))

        def same(text: str) -> bool:
            if truncated and abs(float(text)) < abs(number_):
                return False
            try:
                return struct.pack(code, float(text)) == bits.to_bytes(size, "little")
            except OverflowError:
                return False

        truncated = type.bits == HALF_BITS and number_ != 0 and self.target.truncates_halves
        ending = self.target.endings.get((type.kind, type.bits), "")
        return float_text(number_, 17, same, away=truncated) + ending

    def _narrow(self, bits: int, type: TermType) -> str:
        half = 1 << type.bits - 1
        number = bits - 2 * half if type.kind is ScalarKind.INT and bits & half else bits
        ending = self.target.endings.get((type.kind, type.bits), "")
        if ending and number >= 0:
            return f"{number}{ending}"
        return f"{self.target.type(type.wide(1))}({number})"

    # ------------------------------------------------------------ lines

    def lines(self, lines: Sequence[Line], depth: int = 1) -> Iterator[str]:
        """Yield the text of lines, indented."""
        pad = INDENT * depth
        for each in lines:
            note = f"  // {each.line}" if self.numbers and each.line else ""
            match each:
                case Define():
                    for text in self.target.definition(self, each) or [self.definition(each)]:
                        yield f"{pad}{text};{note}"
                case Assign():
                    text = self.target.stored(self, each) or self.assignment(each)
                    yield f"{pad}{text};{note}"
                case Evaluate():
                    yield f"{pad}{self.text(each.value)};{note}"
                case JumpLine():
                    text = self.jump(each.how)
                    if each.value is not None:
                        text += f" {self.text(each.value)}"
                    yield f"{pad}{text};{note}"
                case BranchLine():
                    yield from self._branch(each, depth, note)
                case Repeat():
                    test = trailing_test(each) if self.target.trailing_tests else None
                    head = self._head(each) if test is None else "do"
                    yield f"{pad}{head} {{{note}"
                    yield from self.lines(each.body if test is None else each.body[:-1], depth + 1)
                    yield f"{pad}}}" if test is None else f"{pad}}} while ({self.text(test)});"
                case Once():
                    yield from self.once(each, depth, note)
                case Choice():
                    yield from self.choice(each, depth, note)

    def once(self, each: Once, depth: int, note: str) -> Iterator[str]:
        """Yield the text of a body that a `break` leaves."""
        pad = INDENT * depth
        yield f"{pad}do {{{note}"
        yield from self.lines(each.body, depth + 1)
        yield f"{pad}}} while (false);"

    def definition(self, each: Define) -> str:
        """Return a definition, without a semicolon."""
        precise = self.target.precise if self.exact and each.type.kind is ScalarKind.FLOAT else ""
        head = f"{precise}{self.target.type(each.type)} {each.name}"
        if each.value is None:
            return head
        return f"{head} = {self.assigned(each.type, each.value)}"

    def assigned(self, type: TermType, value: SourceExpression) -> str:
        """Return a value that is assigned to a variable of a type."""
        if self.target.broadcasts or value.type.width == type.width:
            return self.text(value)
        return self.widened(value, type.width)

    def assignment(self, each: Assign) -> str:
        """Return an assignment, without a semicolon."""
        target, value = self.text(each.target), each.value
        spelling = self.target.spellings.get(value.op)
        if isinstance(spelling, Infix) and spelling.rank >= Rank.SHIFT and len(value.args) == 2:
            a, b = value.args
            if value.op in COMMUTE and self.text(b) == target:
                a, b = b, a
            if self.text(a) == target and b.type.width in (1, each.target.type.width):
                less = negated(b) if value.op in (OPS.iadd, OPS.fadd) else None
                if value.op is OPS.iadd and each.target.type.width == 1 and is_one(less or b):
                    return target + ("++" if less is None else "--")
                if less is not None:
                    return f"{target} -= {self.text(less)}"
                return f"{target} {spelling.word}= {self.text(b)}"
        return f"{target} = {self.assigned(each.target.type, value)}"

    def jump(self, how: Leave) -> str:
        """Return a jump, without a semicolon."""
        if how is Leave.DISCARD:
            return self.target.discard
        return f"return {self.result}" if self.result and how is Leave.RETURN else how.value

    def _branch(self, each: BranchLine, depth: int, note: str) -> Iterator[str]:
        pad = INDENT * depth
        head = f"{pad}if ({self.text(each.condition)}) {{{note}"
        while True:
            yield head
            yield from self.lines(each.then, depth + 1)
            if len(each.otherwise) == 1 and isinstance(each.otherwise[0], BranchLine):
                each = each.otherwise[0]
                head = f"{pad}}} else if ({self.text(each.condition)}) {{"
                continue
            break
        if each.otherwise:
            yield f"{pad}}} else {{"
            yield from self.lines(each.otherwise, depth + 1)
        yield f"{pad}}}"

    def _head(self, each: Repeat) -> str:
        condition = "true" if each.condition is None else self.text(each.condition)
        if each.first is None and each.step is None:
            return f"while ({condition})"
        first = (
            self.definition(each.first) if isinstance(each.first, Define)
            else self.assignment(each.first) if each.first is not None else ""
        )  # fmt: skip
        step = self.assignment(each.step) if each.step is not None else ""
        return f"for ({first}; {condition}; {step})"

    def choice(self, each: Choice, depth: int, note: str) -> Iterator[str]:
        """Yield the text of a switch; a case that defines variables is a block."""
        pad = INDENT * depth
        yield f"{pad}switch ({self.text(each.value)}) {{{note}"
        for labels, body in each.cases:
            block = any(isinstance(line, Define) for line in body)
            for at, label in enumerate(labels):
                word = (
                    "default" if label is None
                    else f"case {self.number(label, each.value.type.wide(1))}"
                )  # fmt: skip
                yield f"{pad}{word}:{' {' * (block and at == len(labels) - 1)}"
            yield from self.lines(body, depth + 1)
            if block:
                yield f"{pad}}}"
        yield f"{pad}}}"


def opposite(value: SourceExpression) -> SourceExpression | None:
    """Return a * b for -a * b; None for other expressions."""
    if value.op is not OPS.fmul:
        return None
    a, b = value.args
    for at, each in enumerate(value.args):
        less = each.args[0] if each.op is OPS.fneg else negated(each)
        if less is not None:
            return replace(value, args=(less, b) if at == 0 else (a, less))
    return None


def negated(value: SourceExpression) -> SourceExpression | None:
    """Return the literal with the opposite sign, if it is negative in each component."""
    if value.op is not NodeForm.LITERAL:
        return None
    top = 1 << value.type.bits - 1
    if not all(each & top for each in value.attr):
        return None
    if value.type.kind is ScalarKind.FLOAT:
        exponent = EXPONENT[value.type.bits]
        if any(each & exponent == exponent for each in value.attr):
            return None
        changed = tuple(each ^ top for each in value.attr)
    elif value.type.kind is ScalarKind.INT:
        if any(each == top for each in value.attr):
            return None
        changed = tuple(-each & 2 * top - 1 for each in value.attr)
    elif value.type.kind is ScalarKind.UINT:  # the sum wraps around
        changed = tuple(-each & 2 * top - 1 for each in value.attr)
        if any(each >= SMALL for each in changed):
            return None
    else:
        return None
    return SourceExpression(NodeForm.LITERAL, value.type, (), changed)


def is_one(value: SourceExpression) -> bool:
    """Return True for the literal 1."""
    return value.op is NodeForm.LITERAL and value.attr == (1,)


def op_word(op: object) -> str:
    """Return the word for an operation in a message."""
    return op.name if isinstance(op, Op) else str(op)


def _filled(text: str, target: Target, type: TermType) -> str:
    """Return the text of a helper for operands of a type."""

    def same(kind: ScalarKind) -> bool:
        return kind is type.kind or (kind in INTEGERS and type.kind in INTEGERS)

    words = {
        letter: target.type(TermType(kind, type.bits if same(kind) else 32, type.width))
        for letter, kind in LETTERS_OF_KINDS.items()
    }
    more = {
        letter: target.type(TermType(kind, 32, type.width))
        for letter, kind in (("S", ScalarKind.INT), ("W", ScalarKind.UINT))
    }
    for letter, word in {**words, **more, "T": target.type(type)}.items():
        text = text.replace(f"{{{letter}}}", word)
    return text


def _componentwise(text: str, width: int) -> str:
    """Return the overload of a helper for vectors, which calls the scalar overload."""
    found = FUNCTION.match(text)
    assert found is not None
    result, word, parameters = found.groups()
    names = [each.split()[-1] for each in parameters.split(", ")]
    calls = ", ".join(
        f"{word}({', '.join(f'{each}.{LETTERS[at]}' for each in names)})" for at in range(width)
    )
    return f"{result} {word}({parameters}) {{\n    return {result}({calls});\n}}"
