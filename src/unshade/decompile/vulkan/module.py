"""A module of SPIR-V while it is written: its sections, with each type and constant once.

    OpCapability Shader             capabilities, extensions, the import
    OpEntryPoint Fragment %1 …      entry point and execution modes
    OpName %5 "albedo"              names
    OpDecorate %5 Binding 100       decorations
    %7 = OpTypeFloat 32             types, constants and variables
    %1 = OpFunction …               the function

Ids are numbered in the order in which they are made.
"""

import struct
from collections.abc import Iterator

from ...errors import UnsupportedError
from ..tree import ScalarKind, TermType
from .environments import Version, extension_of

__all__ = ["SpirvSections"]

EXTENDED = "GLSL.std.450"
NON_SEMANTIC, NON_SEMANTIC_SINCE = "NonSemantic.", (1, 6)
LISTING = "listing"  # the file that lines are of
WIDTHS: dict[tuple[ScalarKind, int], str] = {  # the capability of a type that needs one
    (ScalarKind.FLOAT, 16): "Float16", (ScalarKind.FLOAT, 64): "Float64",
    **{(kind, 64): "Int64" for kind in (ScalarKind.INT, ScalarKind.UINT)},
    **{(kind, 16): "Int16" for kind in (ScalarKind.INT, ScalarKind.UINT)},
    **{(kind, 8): "Int8" for kind in (ScalarKind.INT, ScalarKind.UINT)},
}  # fmt: skip
FORMATS = {16: ("<e", 10, 15), 32: ("<f", 23, 127), 64: ("<d", 52, 1023)}  # fraction bits, bias


class SpirvSections:
    """The sections of a module; `version` is that of SPIR-V."""

    def __init__(self, version: Version) -> None:
        self.version = version
        self.capabilities: dict[str, None] = {"Shader": None}
        self.extensions: dict[str, None] = {}
        self.modes: dict[str, None] = {}
        self.names: list[str] = []
        self.decorations: list[str] = []
        self.globals: list[str] = []
        self.interface: list[str] = []
        self.function: list[str] = []
        self._declared: dict[tuple[str, ...], str] = {}
        self._decorated: set[str] = set()
        self._last = 0
        self._sets: dict[str, str] = {}  # of extended instructions
        self._strings: dict[str, str] = {}

    def id(self) -> str:
        """Return a new id."""
        self._last += 1
        return f"%{self._last}"

    # ------------------------------------------------------------ sections

    def require(self, *capabilities: str) -> None:
        """Declare capabilities, with the extensions that they belong to."""
        for each in capabilities:
            self.capabilities[each] = None
            extension = extension_of(each, self.version)
            if extension:
                self.extensions[extension] = None

    def name(self, id: str, text: str) -> None:
        """Give an id its name."""
        self.names.append(f"OpName {id} {quoted(text)}")

    def decorate(self, id: str, *words: object) -> None:
        """Decorate an id."""
        line = " ".join(("OpDecorate", id, *map(str, words)))
        if line not in self._decorated:
            self._decorated.add(line)
            self.decorations.append(line)

    def member(self, id: str, number: int, name: str, *decorations: str) -> None:
        """Name and decorate a member of a structure."""
        self.names.append(f"OpMemberName {id} {number} {quoted(name)}")
        self.decorations += [f"OpMemberDecorate {id} {number} {each}" for each in decorations]

    def listing(self) -> str:
        """Return the id of the name of the listing, which lines of it refer to."""
        return self.string(LISTING)

    def string(self, text: str) -> str:
        """Return the id of a string."""
        if text not in self._strings:
            self._strings[text] = self.id()
        return self._strings[text]

    def instructions(self, name: str = EXTENDED) -> str:
        """Return the id of a set of extended instructions."""
        if name not in self._sets:
            self._sets[name] = self.id()
            if name.startswith(NON_SEMANTIC) and self.version < NON_SEMANTIC_SINCE:
                self.extensions["SPV_KHR_non_semantic_info"] = None
        return self._sets[name]

    # ------------------------------------------------------------ declarations

    def declared(self, opcode: str, *operands: object) -> str:
        """Return the id of a type or constant, which is declared once."""
        key = (opcode, *map(str, operands))
        found = self._declared.get(key)
        if found is None:
            found = self._declared[key] = self.fresh(opcode, *operands)
        return found

    def fresh(self, opcode: str, *operands: object) -> str:
        """Return the id of a new type, constant or variable."""
        made = self.id()
        self.globals.append(" ".join((f"{made} =", opcode, *map(str, operands))))
        return made

    def type(self, type: TermType) -> str:
        """Return the id of a scalar or vector type."""
        if type.width > 1:
            return self.declared("OpTypeVector", self.type(type.wide(1)), type.width)
        if type.kind is ScalarKind.BOOL:
            return self.declared("OpTypeBool")
        capability = WIDTHS.get((type.kind, type.bits))
        if capability is None and type.bits != 32:
            raise UnsupportedError(f"{type.kind} of {type.bits} bits cannot be translated yet")
        if capability is not None:
            self.require(capability)
        if type.kind is ScalarKind.FLOAT:
            return self.declared("OpTypeFloat", type.bits)
        return self.declared("OpTypeInt", type.bits, int(type.kind is ScalarKind.INT))

    def pointer(self, storage: str, type: str) -> str:
        """Return the id of a pointer type."""
        return self.declared("OpTypePointer", storage, type)

    def constant(self, type: TermType, *bits: int) -> str:
        """Return the id of a constant: one number for each component, or one for all."""
        if type.width > 1:
            parts = bits if len(bits) == type.width else bits[:1] * type.width
            inner = [self.constant(type.wide(1), each) for each in parts]
            return self.declared("OpConstantComposite", self.type(type), *inner)
        whole = self.type(type)
        if type.kind is ScalarKind.BOOL:
            return self.declared("OpConstantTrue" if bits[0] else "OpConstantFalse", whole)
        return self.declared("OpConstant", whole, number(bits[0], type))

    def specialised(self, type: TermType, bits: int, id: int, name: str) -> str:
        """Return a new specialisation constant."""
        whole = self.type(type)
        if type.kind is ScalarKind.BOOL:
            made = self.fresh("OpSpecConstantTrue" if bits else "OpSpecConstantFalse", whole)
        else:
            made = self.fresh("OpSpecConstant", whole, number(bits, type))
        self.decorate(made, "SpecId", id)
        self.name(made, name)
        return made

    def variable(self, storage: str, type: str, *initial: str) -> str:
        """Return the id of a new variable outside the function."""
        made = self.fresh("OpVariable", self.pointer(storage, type), storage, *initial)
        if storage in ("Input", "Output") or self.version >= (1, 4):
            self.interface.append(made)
        return made

    # ------------------------------------------------------------ text

    def text(self, model: str, main: str) -> str:
        """Return the text of the module."""
        return "".join(f"{each}\n" for each in self._lines(model, main))

    def _lines(self, model: str, main: str) -> Iterator[str]:
        yield "; SPIR-V"
        yield f"; Version: {self.version[0]}.{self.version[1]}"
        yield from (f"OpCapability {each}" for each in sorted(self.capabilities))
        yield from (f"OpExtension {quoted(each)}" for each in sorted(self.extensions))
        for name, made in self._sets.items():
            yield f"{made} = OpExtInstImport {quoted(name)}"
        yield "OpMemoryModel Logical GLSL450"
        yield " ".join(("OpEntryPoint", model, main, quoted("main"), *self.interface))
        yield from (f"OpExecutionMode {main} {each}" for each in self.modes)
        for text, made in self._strings.items():
            yield f"{made} = OpString {quoted(text)}"
        yield from self.names
        yield from self.decorations
        yield from self.globals
        yield from self.function


def quoted(text: str) -> str:
    """Return a literal string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def number(bits: int, type: TermType) -> str:
    """Return a literal number with these bits."""
    if type.kind is ScalarKind.INT:
        half = 1 << type.bits - 1
        return str(bits - 2 * half if bits & half else bits)
    if type.kind is ScalarKind.UINT:
        return str(bits)
    return _float(bits, type.bits)


def _float(bits: int, width: int) -> str:
    """Return the shortest decimal of a float, or its digits in hexadecimal.

    Infinities, NaN and subnormal numbers have no decimal that every assembler reads alike.
    """
    code, fraction, bias = FORMATS[width]
    exponent = bits >> fraction & 2 * bias + 1
    sign = "-" if bits >> width - 1 else ""
    low = bits & (1 << fraction) - 1
    digits = -(-fraction // 4)
    if not low and not exponent:
        return f"{sign}0"
    if 0 < exponent <= 2 * bias and width > 16:
        (value,) = struct.unpack(code, bits.to_bytes(width // 8, "little"))
        for count in range(1, 18):
            text = f"{value:.{count}g}"
            try:
                if int.from_bytes(struct.pack(code, float(text)), "little") == bits:
                    return text
            except OverflowError:
                continue
    if not exponent:  # a subnormal number, with its highest bit before the point
        shift = fraction - low.bit_length() + 1
        low, exponent = low << shift & (1 << fraction) - 1, 1 - shift
    tail = f"{low << 4 * digits - fraction:0{digits}x}".rstrip("0")
    return f"{sign}0x1{f'.{tail}' if tail else ''}p{exponent - bias:+d}"
