"""The context of a function of SPIR-V while it is written, and the places of variables.

camera.world[1].x     SpirvPlace(%camera, Uniform, indices (0, 1, 0), float)
"""

from ...dataclass import dataclass, field, replace
from ...errors import UnsupportedError
from ...tuples import NamedTuple
from ..parts import SourceParts
from ..tree import ScalarKind, TermType
from .module import SpirvSections

__all__ = ["INT", "UINT", "SpirvLayout", "SpirvPlace", "SpirvWriter"]

# Instructions whose result depends on their operands only: a block has each once.
PURE = frozenset({
    "OpAccessChain", "OpCompositeConstruct", "OpCompositeExtract", "OpVectorShuffle", "OpBitcast",
    "OpSelect", "OpExtInst", "OpNot", "OpSampledImage", "OpImage", "OpConvertSToF", "OpConvertUToF",
    "OpConvertFToS", "OpConvertFToU", "OpArrayLength",
})  # fmt: skip
SPREADING = frozenset({"OpSampledImage", "OpImage", "OpImageTexelPointer"})
PURE_STARTS = (
    "OpF",
    "OpIA",
    "OpIS",
    "OpIM",
    "OpIE",
    "OpIN",
    "OpS",
    "OpU",
    "OpBit",
    "OpLogical",
)  # arithmetic and comparisons
UNCHANGING = frozenset({"Input", "Uniform", "UniformConstant", "PushConstant"})
INT, UINT = TermType(ScalarKind.INT), TermType(ScalarKind.UINT)


class SpirvLayout(NamedTuple):
    """A type in memory: a vector, an array, a matrix, a structure, or an opaque type.

    Attributes:
        id: The type.
        term: The scalar or vector, else None.
        inner: Elements of an array, or columns of a matrix.
        members: Members of a structure, by name: number and type.
        texel: Kind of the texels of an image.
    """

    id: str
    term: TermType | None = None
    inner: "SpirvLayout | None" = None
    members: "dict[str, tuple[int, SpirvLayout]]" = {}  # noqa: RUF012
    texel: ScalarKind | None = None


@dataclass(frozen=True, slots=True)
class SpirvPlace:
    """A variable, or a part of one: indices lead to it."""

    base: str
    storage: str
    layout: SpirvLayout
    indices: tuple[str, ...] = ()
    uneven: bool = False  # lanes may have different indices of an array of resources

    def at(self, index: str, layout: SpirvLayout | None) -> "SpirvPlace":
        """Return a part of the place."""
        if layout is None:
            raise UnsupportedError("a part of a value that has no parts cannot be translated yet")
        return replace(self, indices=(*self.indices, index), layout=layout)


@dataclass(slots=True)
class SpirvWriter:
    """The function that is written, its module, and the variables by their names in the tree."""

    module: SpirvSections
    parts: SourceParts
    symbols: dict[str, SpirvPlace] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)  # variables that are set once
    constants: dict[str, str] = field(default_factory=dict)  # of a specialisation
    inputs: dict[str, str] = field(default_factory=dict)  # loads of inputs
    arrays: dict[str, str] = field(default_factory=dict)  # of resources: what capabilities say
    uneven: set[str] = field(default_factory=set)  # ids that are not uniform
    tables: dict[str, int] = field(default_factory=dict)  # tables of constants: numbers of rows
    views: dict[tuple[str, int], str] = field(default_factory=dict)  # by name and bytes of numbers
    points: set[str] = field(default_factory=set)  # names of points
    emitted: dict[str, list[tuple[str, SpirvPlace]]] = field(
        default_factory=dict
    )  # by stream: outputs
    variables: list[str] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)  # loads of inputs, at the start
    code: list[str] = field(default_factory=list)
    known: dict[tuple[str, ...], str] = field(default_factory=dict)  # results in this block
    ordered: bool = False  # lanes of one pixel take turns, in the order of their primitives
    ended: bool = False  # the block has its last instruction
    line: int = 0  # of the listing, which the code of this block has told

    def op(self, opcode: str, type: TermType | str, *operands: object) -> str:
        """Append an instruction and return the id of its result."""
        whole = self.module.type(type) if isinstance(type, TermType) else type
        key = (opcode, whole, *map(str, operands))
        pure = opcode in PURE or opcode.startswith(PURE_STARTS)
        found = self.known.get(key) if pure else None
        if found is not None:
            return found
        made = self.module.id()
        self.code.append(" ".join((f"{made} =", *key)))
        if opcode in SPREADING and not self.uneven.isdisjoint(key):
            self.mark(made)
        if pure:
            self.known[key] = made
        return made

    def mark(self, made: str) -> None:
        """Decorate a pointer to a resource, or a resource, in which lanes may differ."""
        self.module.require("ShaderNonUniform")
        self.module.decorate(made, "NonUniform")
        self.uneven.add(made)

    def extended(self, word: str, type: TermType, *operands: object) -> str:
        """Append an instruction of GLSL.std.450 and return the id of its result."""
        return self.op("OpExtInst", type, self.module.instructions(), word, *operands)

    def effect(self, opcode: str, *operands: object) -> None:
        """Append an instruction without a result."""
        self.code.append(" ".join((opcode, *map(str, operands))))

    def number(self, value: int, kind: ScalarKind = ScalarKind.UINT) -> str:
        """Return the id of a constant integer."""
        return self.module.constant(TermType(kind), value & 0xFFFF_FFFF)

    # ------------------------------------------------------------ places

    def pointer(self, place: SpirvPlace) -> str:
        """Return the id of the pointer to a place."""
        if not place.indices:
            return place.base
        type = self.module.pointer(place.storage, place.layout.id)
        found = self.op("OpAccessChain", type, place.base, *place.indices)
        if place.uneven:
            self.mark(found)
        return found

    def load(self, place: SpirvPlace) -> str:
        """Return the value at a place."""
        if place.storage == "Input" and not place.indices:  # it never changes
            found = self.inputs.get(place.base)
            if found is None:
                found = self.inputs[place.base] = self.module.id()
                self.opening.append(f"{found} = OpLoad {place.layout.id} {place.base}")
            return found
        pointer = self.pointer(place)
        if place.storage not in UNCHANGING:
            return self.op("OpLoad", place.layout.id, pointer)
        key = ("OpLoad", pointer)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.op("OpLoad", place.layout.id, pointer)
            if place.uneven and place.layout.term is None:  # an image or a sampler
                self.mark(found)
        return found

    def term(self, type: TermType) -> SpirvLayout:
        """Return the layout of a scalar or vector."""
        return SpirvLayout(self.module.type(type), type)

    def component(self, place: SpirvPlace, number: int | str) -> SpirvPlace:
        """Return a component of a vector in memory."""
        type = place.layout.term
        if type is None and place.layout.inner is not None:  # an array in place of a vector
            index = self.number(number) if isinstance(number, int) else number
            return place.at(index, place.layout.inner)
        if type is None:
            raise UnsupportedError("a component of a value that is no vector")
        if type.width == 1:
            return place
        index = self.number(number) if isinstance(number, int) else number
        return place.at(index, self.term(type.wide(1)))

    # ------------------------------------------------------------ functions

    def start(self) -> None:
        """Start another function."""
        self.variables, self.opening, self.code = [], [], []
        for each in (self.known, self.values, self.inputs):
            each.clear()
        self.ended, self.line = False, 0

    def function(self, id: str, label: str) -> list[str]:
        """Return the lines of the function that was written; it takes and returns nothing."""
        void = self.module.declared("OpTypeVoid")
        type = self.module.declared("OpTypeFunction", void)
        return [
            f"{id} = OpFunction {void} None {type}", f"{label} = OpLabel",
            *self.variables, *self.opening, *self.code, "OpFunctionEnd",
        ]  # fmt: skip

    # ------------------------------------------------------------ blocks

    def at_line(self, line: int) -> None:
        """Tell the line of the listing that the following code is made from, if asked to."""
        if self.parts.numbers and line and line != self.line:
            self.line = line
            self.effect("OpLine", self.module.listing(), line, 0)

    def label(self, id: str) -> None:
        """Begin a block."""
        self.code.append(f"{id} = OpLabel")
        self.known.clear()
        self.ended = False
        self.line = 0

    def begin(self) -> None:
        """Begin the function: lanes of one pixel wait for those of earlier primitives."""
        if self.ordered:
            self.module.require("FragmentShaderPixelInterlockEXT")
            self.module.modes["PixelInterlockOrderedEXT"] = None
            self.effect("OpBeginInvocationInterlockEXT")

    def leave(self) -> None:
        """Return from the function."""
        if self.ordered:
            self.effect("OpEndInvocationInterlockEXT")
        self.end("OpReturn")

    def end(self, opcode: str, *operands: object) -> None:
        """End the block."""
        self.effect(opcode, *operands)
        self.ended = True
