"""Functions of machine code that are written in Python: values, branches and loops as LLVM text.

    code = WrittenCode(["count", "numbers"])               the words that a call passes
    with code.loop(code.number("count")) as at:
        place = code.at("numbers", I64, at)
        place.store(place.load() + 1)
    function = WrittenFunction(code)
    function.run(GivenWords({"count": len(array), "numbers": array}))

For work that is no kernel: whose order counts, or whose results differ in number. A value is a
scalar or a vector with as many elements as its type says. Operators take values of one type;
Python's numbers become constants of the type of the other operand. Nothing is contracted or
reordered, so that floats have the bits that NumPy gives for the same operations.
"""

import ctypes
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache

import numpy as np

from ...tuples import NamedTuple
from ..launch import Array
from .codegen.llvm_text import call_line
from .compile import MachineCode, compile_text
from .engine import address
from .processor import processor, triple

__all__ = [
    "F32", "F64", "I1", "I8", "I16", "I32", "I64", "BoundFunction", "GivenWords", "Num",
    "NumPlace", "ValueType", "WrittenCode", "WrittenFunction",
]  # fmt: skip

ALIGNED = 64  # bytes, of space on the stack


class ValueType(NamedTuple):
    """A type: the name of its elements in LLVM, their bytes, and their number, 0 for a scalar."""

    element: str
    size: int
    lanes: int = 0

    def of(self, lanes: int) -> "ValueType":
        """Return the vector type of so many elements, or the scalar type for 0."""
        return ValueType(self.element, self.size, lanes)

    @property
    def text(self) -> str:
        """The name of the type."""
        return f"<{self.lanes} x {self.element}>" if self.lanes else self.element

    @property
    def is_float(self) -> bool:
        """True for floats."""
        return self.element in ("float", "double")

    @property
    def suffix(self) -> str:
        """The type in the names of intrinsics."""
        name = {"float": "f32", "double": "f64"}.get(self.element, self.element)
        return f"v{self.lanes}{name}" if self.lanes else name


I1, I8, I16, I32, I64 = (ValueType(f"i{8 * n or 1}", n or 1) for n in (0, 1, 2, 4, 8))
F32, F64 = ValueType("float", 4), ValueType("double", 8)


class Num:
    """A value in the text of a function."""

    __slots__ = ("code", "kind", "text")

    def __init__(self, code: "WrittenCode", kind: ValueType, text: str) -> None:
        self.code = code
        self.kind = kind
        self.text = text

    def __str__(self) -> str:
        return f"{self.kind.text} {self.text}"

    def _other(self, given: "Num | float") -> "Num":
        return given if isinstance(given, Num) else self.code.constant(given, self.kind)

    def _made(self, operation: str, given: "Num | float", *, turned: bool = False) -> "Num":
        other = self._other(given)
        one, two = (other, self) if turned else (self, other)
        return self.code.make(self.kind, f"{operation} {self.kind.text} {one.text}, {two.text}")

    def __add__(self, other: "Num | float") -> "Num":
        return self._made("fadd" if self.kind.is_float else "add", other)

    def __sub__(self, other: "Num | float") -> "Num":
        return self._made("fsub" if self.kind.is_float else "sub", other)

    def __rsub__(self, other: float) -> "Num":
        return self._made("fsub" if self.kind.is_float else "sub", other, turned=True)

    def __mul__(self, other: "Num | float") -> "Num":
        return self._made("fmul" if self.kind.is_float else "mul", other)

    def times_plus(self, factor: "Num | float", other: "Num | float") -> "Num":
        """Return a product plus another float, rounded once."""
        return self.code.unary("fma", self, self._other(factor), self._other(other))

    def __truediv__(self, other: "Num | float") -> "Num":
        return self._made("fdiv", other)

    def __rtruediv__(self, other: float) -> "Num":
        return self._made("fdiv", other, turned=True)

    def __and__(self, other: "Num | int") -> "Num":
        return self._made("and", other)

    def __or__(self, other: "Num | int") -> "Num":
        return self._made("or", other)

    def __xor__(self, other: "Num | int") -> "Num":
        return self._made("xor", other)

    def __lshift__(self, count: int) -> "Num":
        return self._made("shl", count)

    def __rshift__(self, count: int) -> "Num":
        """Shift to the right, without a sign."""
        return self._made("lshr", count)

    def signed_shift(self, count: int) -> "Num":
        """Shift to the right with the sign: divide by 2^count, rounding down."""
        return self._made("ashr", count)

    def is_(self, relation: str, given: "Num | float") -> "Num":
        """Compare: `relation` is LLVM's, such as "slt", "oeq" or "une"."""
        how = "fcmp" if self.kind.is_float else "icmp"
        right = f"{how} {relation} {self}, {self._other(given).text}"
        return self.code.make(I1.of(self.kind.lanes), right)

    def choose(self, yes: "Num", given: "Num | float") -> "Num":
        """Return `yes` where this condition holds, elsewhere the other value."""
        no = yes._other(given)
        return self.code.make(yes.kind, f"select {self}, {yes}, {no}")

    def to(self, kind: ValueType, how: str) -> "Num":
        """Convert to a type of as many elements, by an instruction such as "sext" or "fptrunc"."""
        wanted = kind.of(self.kind.lanes)
        if wanted == self.kind:
            return self
        return self.code.make(wanted, f"{how} {self} to {wanted.text}")

    def bits_as(self, kind: ValueType) -> "Num":
        """Return the bits as another type, which may have another number of elements."""
        return self.code.make(kind, f"bitcast {self} to {kind.text}")

    def lane(self, at: int) -> "Num":
        """Return an element."""
        return self.code.make(self.kind.of(0), f"extractelement {self}, i64 {at}")

    def half(self, at: int) -> "Num":
        """Return the first or the second half of the elements."""
        count = self.kind.lanes // 2
        order = ", ".join(f"i32 {count * at + n}" for n in range(count))
        text = f"shufflevector {self}, {self.kind.text} poison, <{count} x i32> <{order}>"
        return self.code.make(self.kind.of(count), text)

    def joined(self, other: "Num") -> "Num":
        """Return the elements of two vectors."""
        count = 2 * self.kind.lanes
        order = ", ".join(f"i32 {n}" for n in range(count))
        text = f"shufflevector {self}, {other}, <{count} x i32> <{order}>"
        return self.code.make(self.kind.of(count), text)

    def shuffled(self, other: "Num", order: list[int]) -> "Num":
        """Return elements of two vectors, by their numbers in both together."""
        numbers = ", ".join(f"i32 {each}" for each in order)
        text = f"shufflevector {self}, {other}, <{len(order)} x i32> <{numbers}>"
        return self.code.make(self.kind.of(len(order)), text)

    def repeated(self, times: int) -> "Num":
        """Return a vector with each element of this one several times."""
        return self.shuffled(self, [at for at in range(self.kind.lanes) for _ in range(times)])

    def splat(self, lanes: int) -> "Num":
        """Return a vector with this scalar in all elements."""
        wide, zeros = self.kind.of(lanes), f"<{lanes} x i32> zeroinitializer"
        first = self.code.make(wide, f"insertelement {wide.text} poison, {self}, i64 0")
        text = f"shufflevector {first}, {wide.text} poison, {zeros}"
        return self.code.make(wide, text)


class NumPlace:
    """A place in memory that holds values of a type."""

    __slots__ = ("align", "code", "kind", "text")

    def __init__(self, code: "WrittenCode", kind: ValueType, text: str, align: int) -> None:
        self.code = code
        self.kind = kind
        self.text = text
        self.align = align

    def load(self) -> Num:
        """Return the value that is there."""
        return self.code.make(
            self.kind, f"load {self.kind.text}, ptr {self.text}, align {self.align}"
        )

    def store(self, value: Num | float) -> None:
        """Write a value."""
        made = value if isinstance(value, Num) else self.code.constant(value, self.kind)
        self.code.put(f"store {made}, ptr {self.text}, align {self.align}")

    def load_some(self, mask: Num) -> Num:
        """Return the elements that a mask has; the others are 0."""
        return self.code.call(
            self.kind, f"llvm.masked.load.{self.kind.suffix}.p0", f"ptr {self.text}",
            f"i32 {self.align}", str(mask), f"{self.kind.text} zeroinitializer",
        )  # fmt: skip

    def store_some(self, value: Num, mask: Num) -> None:
        """Write the elements that a mask has."""
        self.code.call(
            None, f"llvm.masked.store.{self.kind.suffix}.p0", str(value),
            f"ptr {self.text}", f"i32 {self.align}", str(mask),
        )  # fmt: skip


class WrittenCode:
    """The text of a function while it is written; `words` are the names of what a call passes."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self._lines: list[str] = []
        self._entry: list[str] = []
        self._declared: dict[str, str] = {}
        self._count = 0
        for at, word in enumerate(words):
            self._entry.append(f"  %place.{word} = getelementptr i64, ptr %context, i64 {at}")
            self._entry.append(f"  %word.{word} = load i64, ptr %place.{word}, align 8")
            self._entry.append(f"  %ptr.{word} = inttoptr i64 %word.{word} to ptr")

    def _name(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"

    def put(self, line: str) -> None:
        """Append a line."""
        self._lines.append(f"  {line}")

    def make(self, kind: ValueType, right: str) -> Num:
        """Append an instruction; return its result."""
        name = "%" + self._name("r")
        self.put(f"{name} = {right}")
        return Num(self, kind, name)

    def call(self, kind: ValueType | None, function: str, *given: str) -> Num:
        """Call an intrinsic; the arguments have the form "type value"."""
        result = "void" if kind is None else kind.text
        line = call_line(self._declared, result, function, given)
        if kind is None:
            self.put(line)
            return Num(self, I1, "poison")
        return self.make(kind, line)

    def unary(self, function: str, *given: Num) -> Num:
        """Call an intrinsic whose operands and result have one type, such as "floor"."""
        kind = given[0].kind
        return self.call(kind, f"llvm.{function}.{kind.suffix}", *map(str, given))

    # ------------------------------------------------------------ values

    def constant(self, number: float, kind: ValueType) -> Num:
        """Return a number as a value of a type, in all elements."""
        if kind.is_float:
            wide = struct.unpack("<Q", struct.pack("<d", number))[0]
            text = f"0x{wide:016X}"
        else:
            text = str(int(number))
        return Num(self, kind, f"splat ({kind.element} {text})" if kind.lanes else text)

    def vector(self, numbers: list[int], kind: ValueType) -> Num:
        """Return constants as the elements of a vector."""
        wide = kind.of(len(numbers))
        scalars = (self.constant(each, kind) for each in numbers)
        return Num(self, wide, f"<{', '.join(map(str, scalars))}>")

    def gathered(self, scalars: list[Num]) -> Num:
        """Return scalars as the elements of a vector."""
        kind = scalars[0].kind.of(len(scalars))
        made = Num(self, kind, "poison")
        for at, each in enumerate(scalars):
            made = self.make(kind, f"insertelement {made}, {each}, i64 {at}")
        return made

    def number(self, word: str) -> Num:
        """Return a whole number that a call passes."""
        return Num(self, I64, f"%word.{word}")

    def at(
        self, word: str, kind: ValueType, index: Num | int, plus: int = 0, align: int = 0
    ) -> NumPlace:
        """Return the place of an element of an array that a call passes.

        Args:
            word: The name of the array.
            kind: The type at the place; `index` counts elements of its scalar type.
            index: The number of the element, an I64.
            plus: Is added to it.
            align: The bytes of its alignment, by default those of an element.
        """
        text = f"%ptr.{word}"
        if isinstance(index, Num):
            text = "%" + self._name("p")
            self.put(f"{text} = getelementptr {kind.element}, ptr %ptr.{word}, {index}")
        else:
            plus += index
        if plus:
            before, text = text, "%" + self._name("p")
            self.put(f"{text} = getelementptr {kind.element}, ptr {before}, i64 {plus}")
        return NumPlace(self, kind, text, align or kind.size)

    def variable(self, kind: ValueType, start: Num | float | None = None) -> NumPlace:
        """Return space for a value on the stack, which LLVM turns into a register."""
        name = "%" + self._name("v")
        self._entry.append(f"  {name} = alloca {kind.text}, align {ALIGNED}")
        made = NumPlace(self, kind, name, ALIGNED)
        if start is not None:
            made.store(start)
        return made

    # ------------------------------------------------------------ control flow

    @contextmanager
    def loop(self, first: Num | int, last: Num) -> Iterator[Num]:
        """Repeat the block for each number from `first` to before `last`."""
        counter = self.variable(last.kind, first)
        with self.repeat(lambda: counter.load().is_("slt", last)):
            now = counter.load()
            yield now
            counter.store(now + 1)

    @contextmanager
    def repeat(self, more: Callable[[], Num]) -> Iterator[None]:
        """Repeat the block while a condition, which `more` writes, holds."""
        head, body, end = (self._name(each) for each in ("head", "body", "end"))
        self.put(f"br label %{head}")
        self._lines.append(f"{head}:")
        self.put(f"br {more()}, label %{body}, label %{end}")
        self._lines.append(f"{body}:")
        yield
        self.put(f"br label %{head}")
        self._lines.append(f"{end}:")

    @contextmanager
    def when(self, condition: Num) -> Iterator[None]:
        """Run the block if a condition holds."""
        yes, end = self._name("yes"), self._name("end")
        self.put(f"br {condition}, label %{yes}, label %{end}")
        self._lines.append(f"{yes}:")
        yield
        self.put(f"br label %{end}")
        self._lines.append(f"{end}:")

    def text(self) -> str:
        """Return the module."""
        native = processor().bits
        return "\n".join([
            f'target triple = "{triple()}"',
            *self._declared.values(),
            "define void @kernel(ptr noalias %context, ptr %scratch, i64 %first, i64 %last) #0 {",
            "entry:",
            *self._entry,
            *self._lines,
            "  ret void",
            "}",
            'attributes #0 = { nounwind "no-trapping-math"="true"'
            f' "prefer-vector-width"="{native or 128}" }}',
            "",
        ])  # fmt: skip


class GivenWords:
    """Arrays and whole numbers for calls, by the names of words; arrays are kept alive."""

    def __init__(self, given: Mapping[str, Array | int]) -> None:
        self.numbers: dict[str, int] = {}
        self._arrays: dict[str, Array] = {}
        self.update(given)

    def update(self, given: Mapping[str, Array | int]) -> None:
        """Replace some of the words."""
        for name, each in given.items():
            if isinstance(each, int):
                self.numbers[name] = each
            else:
                self.numbers[name], self._arrays[name] = address(each), each

    def __getitem__(self, name: str) -> Array:
        """Return an array."""
        return self._arrays[name]


class WrittenFunction:
    """Machine code of a function that was written."""

    def __init__(self, code: WrittenCode) -> None:
        self._words = code.words
        self._code = _compiled(code.text())

    def run(self, given: GivenWords) -> None:
        """Call the function with an array or a whole number for each of its words."""
        words = np.array([given.numbers[each] for each in self._words], np.int64)
        self._code.run(address(words), 0, 0, 0)

    def bound(self, *given: GivenWords) -> "BoundFunction":
        """Return the function with its words, for many calls."""
        numbers: dict[str, int] = {}
        for each in given:
            numbers |= each.numbers
        return BoundFunction(self._code, self._words, numbers)


class BoundFunction:
    """A function with words of its own, some of which a call may replace.

    The arrays whose addresses `numbers` has must be alive while it is called.
    """

    def __init__(self, code: MachineCode, words: list[str], numbers: Mapping[str, int]) -> None:
        self._code = code
        self._at = {name: at for at, name in enumerate(words)}
        self._words = (ctypes.c_int64 * len(words))(*(numbers[each] for each in words))
        self._address = ctypes.addressof(self._words)

    def take(self, given: GivenWords, names: Iterable[str]) -> None:
        """Replace words by those of `given`; names that the function lacks are left out."""
        for name in names:
            if name in self._at:
                self._words[self._at[name]] = given.numbers[name]

    def run(self, **numbers: int) -> None:
        """Call the function with whole numbers in place of some words."""
        for name, number in numbers.items():
            self._words[self._at[name]] = number
        self._code.run(self._address, 0, 0, 0)


@cache
def _compiled(text: str) -> MachineCode:
    """Return the machine code of a module."""
    return compile_text(text)
