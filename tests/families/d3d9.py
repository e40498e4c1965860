"""Direct3D 9: register files c#, v#, t#, combined samplers, `0 * x = 0`, predicates.

The modules are modelled on shaders of games of that time: a pixel shader with a tint, and a vertex
shader with a matrix and an indexed table.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from unshade.format import Format
from unshade.ir.kernel import Value
from unshade.ir.lowered import Form, Lowered, LoweredResource
from unshade.ir.memory import Port, Var
from unshade.ir.specialisation import Specialisation
from unshade.ir.textures import Action, Sample, SamplerDeclaration, Shape, TextureDeclaration
from unshade.ir.types import BOOL, F32, I32
from unshade.model import (
    BufferKind,
    ConstantBuffer,
    Dimension,
    Reflection,
    ResourceKind,
    ReturnType,
    Stage,
    SystemValue,
    TypeClass,
    TypeDescription,
    Variable,
)
from unshade.model import Resource as Bound
from unshade.vocab.slots import Direction, ResourceClass, ResourceSlot

from .facts import matrix, parameter, vector
from .handmade import Handmade, Lines, Module, family, text

ABOUT = Format(
    "d3d9_by_hand", b"D3D9", f"{__name__}:D3d9", suffix=".d3d9text", says=r"[pv]s_9_x\b",
    example="ps_9_x", texts=(".psh", ".vsh"), tool="psa",
)  # fmt: skip

ROW = 16
CONSTANTS = 32  # c#
BANK = ResourceSlot(ResourceClass.REGISTER_BANK, 0)
SAMPLER = ResourceSlot(ResourceClass.COMBINED_SAMPLER, 0)
# The location of each input and output in its stage.
PLACES: dict[Stage, dict[str, int | SystemValue]] = {
    Stage.PIXEL: {"v0": 0, "t0": 8, "oC0": 0, "oDepth": SystemValue.DEPTH},
    Stage.VERTEX: {"v0": 0, "v1": 1, "v2": 2, "oPos": 0, "oD0": 1, "oT0": 2},
}
MEANINGS = {"oPos": SystemValue.POSITION, "oC0": SystemValue.TARGET, "oDepth": SystemValue.DEPTH}


class Operand(NamedTuple):
    """`-c8[a0.x].xyz`, `r1_abs.w`."""

    register: str
    relative: str
    letters: str
    negative: bool
    absolute: bool


OPERAND = re.compile(r"(-?)([a-zA-Z]+\d*)(_abs)?(?:\[(\w+\.\w)\])?(?:\.(\w+))?")


def _operand(text: str) -> Operand:
    found = OPERAND.fullmatch(text)
    assert found is not None, text
    minus, register, absolute, relative, letters = found.groups("")
    return Operand(register, relative, letters, bool(minus), bool(absolute))


class Registers:
    """The registers of a shader, and its instructions."""

    def __init__(self, b: Lines) -> None:
        self.b = b
        self.bank = b.constants("c", BANK)
        self.vars: dict[str, Var] = {}
        self.ports: dict[str, list[Port]] = {}
        self.texture = TextureDeclaration("s0", Shape.D2, F32, slot=SAMPLER)
        self.sampler = SamplerDeclaration("s0", SAMPLER)
        self.resources = [
            LoweredResource("c", Form.CONSTANTS, ROW, size=ROW * CONSTANTS, slot=BANK)
        ]

    def var(self, name: str) -> Var:
        if name not in self.vars:
            kind = {"p": BOOL, "a": I32}.get(name[0], F32)
            self.vars[name] = self.b.var(name, kind)
        return self.vars[name]

    def declared(self, register: str, count: int) -> None:
        direction = Direction.OUTPUT if register[0] == "o" else Direction.INPUT
        place = PLACES[self.b.kernel.stage][register]
        meaning = MEANINGS.get(register)
        self.ports[register] = self.b.ports(direction, place, register, count, meaning=meaning)

    def sampled(self) -> None:
        self.b.kernel.textures.append(self.texture)
        self.b.kernel.samplers.append(self.sampler)
        self.resources.append(
            LoweredResource(
                "s0", Form.TEXTURE, ROW, returns=("float",) * 4, shape=Shape.D2, slot=SAMPLER
            )
        )

    def read(self, operand: Operand, at: int) -> Value:
        """Return one component of a source, with its swizzle and modifiers applied."""
        b = self.b
        letters = operand.letters or "xyzw"
        letter = letters[min(at, len(letters) - 1)]
        register = operand.register
        if register[0] == "c":
            element = b.i32(int(register[1:]))
            if operand.relative:
                element = b.iadd(element, b.get(self.var(operand.relative)))
            found = b.load(self.bank, element, 4 * "xyzw".index(letter), F32)
        elif register in self.ports:
            found = b.input(self.ports[register]["xyzw".index(letter)])
        else:
            found = b.get(self.var(f"{register}.{letter}"))
        if operand.absolute:
            found = b.fabs(found)
        return b.fneg(found) if operand.negative else found

    def write(self, operand: Operand, values: Mapping[str, Value], predicate: str) -> None:
        b = self.b
        for letter, made in values.items():
            value, name = made, f"{operand.register}.{letter}"
            if predicate:
                value = b.select(b.get(self.var(predicate)), made, b.get(self.var(name)))
            if operand.register in self.ports:
                b.output(self.ports[operand.register]["xyzw".index(letter)], value)
            else:
                b.set(self.var(name), value)

    def line(self, number: int, text: str) -> None:
        """Lower one instruction."""
        b = self.b
        b.line = number
        predicate = ""
        if text.startswith("("):
            predicate, _, text = text[1:].partition(") ")
        name, _, rest = text.partition(" ")
        name, saturated, _ = name.partition("_sat")
        target, *sources = (_operand(each.strip()) for each in rest.split(","))
        letters = target.letters or "xyzw"
        if name in WHOLE:
            made = WHOLE[name](self, sources)
            values = dict.fromkeys(letters, made)
        elif name == "texkill":
            some = [b.flt(self.read(target, at), 0.0) for at in range(3)]
            b.discard(b.or_(b.or_(some[0], some[1]), some[2]))
            return
        elif name == "texld":
            u, v = (self.read(sources[0], at) for at in range(2))
            texel = b.sample(u, v, attr=Sample(Action.SAMPLE, self.texture, self.sampler))
            values = {c: b.part(texel, type=F32, attr="xyzw".index(c)) for c in letters}
        else:
            values = {
                c: EACH[name](self, *(self.read(each, "xyzw".index(c)) for each in sources))
                for c in letters
            }
        if saturated:
            values = {c: b.fmin(b.fmax(value, 0.0), 1.0) for c, value in values.items()}
        self.write(target, values, predicate)


def _dot(count: int) -> Callable[[Registers, list[Operand]], Value]:
    def made(registers: Registers, sources: list[Operand]) -> Value:
        b = registers.b
        first, *others = (
            b.fmul_legacy(*(registers.read(each, at) for each in sources)) for at in range(count)
        )
        for each in others:
            first = b.fadd(first, each)
        return first

    return made


WHOLE: dict[str, Callable[[Registers, list[Operand]], Value]] = {"dp3": _dot(3), "dp4": _dot(4)}
EACH: dict[str, Callable[..., Value]] = {
    "mov": lambda r, a: a,
    "mova": lambda r, a: r.b.ftoi(r.b.frint(a), type=I32),
    "add": lambda r, a, b: r.b.fadd(a, b),
    "mul": lambda r, a, b: r.b.fmul_legacy(a, b),
    "mad": lambda r, a, b, c: r.b.fadd(r.b.fmul_legacy(a, b), c),
    "cmp": lambda r, a, b, c: r.b.select(r.b.fle(0.0, a), b, c),
    "setp_gt": lambda r, a, b: r.b.flt(b, a),
}


def _lower(b: Lines, chosen: Specialisation) -> Lowered:
    registers = Registers(b)
    for number, line in enumerate(b.lines, 1):
        name, _, rest = line.partition(" ")
        if name.startswith("dcl_2d"):
            registers.sampled()
        elif name.startswith("dcl"):
            register, _, letters = rest.partition(".")
            registers.declared(register, len(letters) or 4)
        elif name and not name.startswith((";", "def", "ps_", "vs_")):
            registers.line(number, line)
    return b.lowered(*registers.resources)


# ---------------------------------------------------------------- constants


def _constants(*rows: tuple[str, int, TypeDescription, list[float] | None]) -> ConstantBuffer:
    """Return the constant registers: name, first register, type, and initial value if any."""
    variables = []
    for name, first, kind, value in rows:
        count = kind.columns if kind.type_class == TypeClass.MATRIX_COLUMNS else 1
        for size in kind.elements:
            count *= size
        variables.append(
            Variable(name=name, offset=ROW * first, size=ROW * count, type=kind, value=value)
        )
    return ConstantBuffer(
        name="c", kind=BufferKind.UNIFORMS, register=vector(4),
        size=max(each.offset + each.size for each in variables),
        declared_size=ROW * CONSTANTS,
        variables=variables,
    )  # fmt: skip


# ---------------------------------------------------------------- the shaders

TINT = text("tint.psh")
TINT_FACTS = Reflection(
    format="d3d9_by_hand", code="d3d9", stage=Stage.PIXEL, model="2.x", profile="ps_2_b",
    entry_point="main",
    inputs=[
        parameter("TEXCOORD", 8, 2), parameter("COLOR", 0, 4),
    ],
    outputs=[parameter("oC0", 0, 4, by_register=True, system_value=SystemValue.TARGET)],
    resources=[
        Bound(
            name="picture", kind=ResourceKind.COMBINED_SAMPLER, register_class="s", register=0,
            dimension=Dimension.D2, return_type=ReturnType.FLOAT, components=4,
        )
    ],
    constant_buffers=[
        _constants(
            ("gain", 0, vector(1), None), ("c1", 1, vector(4), [0.25, 2.0, 0.5, 1.0]),
            ("tint", 2, vector(4), None),
        )
    ],
)  # fmt: skip

TABLE = text("table.vsh")
TABLE_FACTS = Reflection(
    format="d3d9_by_hand", code="d3d9", stage=Stage.VERTEX, model="2.x", profile="vs_2_a",
    entry_point="main",
    inputs=[
        parameter("POSITION", 0, 4), parameter("COLOR", 1, 4), parameter("TEXCOORD", 2, 2),
    ],
    outputs=[
        parameter("POSITION", 0, 4, system_value=SystemValue.POSITION), parameter("COLOR", 1, 4),
        parameter("TEXCOORD", 2, 2),
    ],
    constant_buffers=[
        _constants(
            ("projection", 0, matrix(4, 4, ROW), None), ("which", 4, vector(1), None),
            ("colours", 8, vector(4, elements=4), None),
        )
    ],
)  # fmt: skip


class D3d9Program(Handmade):
    language = "d3d9"


D3d9 = family(
    ABOUT, D3d9Program, [Module(TINT, TINT_FACTS, _lower), Module(TABLE, TABLE_FACTS, _lower)]
)
