"""DXIL: handles, raw buffers, constant buffers, wave operations, graphs without merge blocks.

The modules are written after what dxc makes of the shaders c05, c15 and c25 of the corpus'
execution/, whose golden results hold for them, too.
"""

import re
from collections.abc import Sequence

from unshade.format import Format
from unshade.ir.builder import constant
from unshade.ir.fold import from_float
from unshade.ir.kernel import Value
from unshade.ir.lowered import Form, Lowered, LoweredResource
from unshade.ir.memory import Memory
from unshade.ir.ops import OPS
from unshade.ir.specialisation import Specialisation
from unshade.ir.types import BOOL, F16, F32, I16, I32, Type
from unshade.ir.waves import Wave
from unshade.model import (
    BufferKind,
    ConstantBuffer,
    Reflection,
    ResourceKind,
    Stage,
    TypeClass,
    TypeDescription,
    Variable,
)
from unshade.model import Resource as Bound
from unshade.vocab.slots import ResourceClass, ResourceSlot
from unshade.vocab.words import SystemValue

from .handmade import Handmade, Lines, Module, family, text
from .ssa import Branch, Graph, Incoming, Instruction, Rule, Syntax

ABOUT = Format(
    "dxil_by_hand", b"DXI!", f"{__name__}:Dxil", suffix=".dxiltext", says=r"; DXIL\b",
    example="; DXIL", texts=(".ll",), tool="dxc",
)  # fmt: skip

# ---------------------------------------------------------------- the text

TYPES: dict[str, Type] = {
    "i32": I32, "i1": BOOL, "float": F32, "half": F16, "i16": I16,
    "f32": F32,
}  # fmt: skip


def _label(line: str) -> str | None:
    found = re.fullmatch(r"(\w+):(?: *;.*)?", line)
    return found and f"%{found[1]}"


def _instruction(line: str) -> tuple[str, str, Sequence[str]]:
    """`%9 = call i32 @dx.op.waveActiveOp(i32 %8, i8 0)`: its words, commas and brackets aside."""
    result, equals, rest = line.strip().partition(" = ")
    name, *words = re.findall(r"[^\s,()\[\]]+", rest if equals else result)
    if name == "call":
        kind, name, *words = words
        words.insert(0, kind)
    elif name in ("icmp", "fcmp"):
        name, *words = f"{name} {words[0]}", *words[1:]
    return result if equals else "", name, words


def _phi(each: Instruction) -> Incoming | None:
    if each.name != "phi":
        return None
    kind, *pairs = each.words
    return Incoming(TYPES[kind], dict(zip(pairs[1::2], pairs[::2], strict=True)))


def _branch(each: Instruction) -> Branch | None:
    if each.name == "ret":
        return Branch()
    if each.name != "br":
        return None
    if each.words[0] == "label":
        return Branch(each.words[1:])
    return Branch(each.words[3::2], each.words[1])


def _literal(word: str, type: Type | None) -> Value:
    assert type is not None, word
    if type.kind == "f":
        return constant(from_float(float(word), type), type)
    return constant({"true": 1, "false": 0}.get(word) or int(word), type)


SYNTAX = Syntax(_label, _instruction, _phi, _branch, lambda each: None, _literal)


def same(op: str) -> Rule:
    """An instruction that is an operation of `ir`: a type, then operands of it."""
    return lambda graph, each: graph.b.make(
        OPS[op], *graph.values(each.words[1:], TYPES[each.words[0]])
    )


def turned(op: str) -> Rule:
    return lambda graph, each: graph.b.make(
        OPS[op], *graph.values(each.words[:0:-1], TYPES[each.words[0]])
    )


def called(op: str) -> Rule:
    """A function that is an operation of `ir`: the operands have their types."""
    return lambda graph, each: graph.b.make(OPS[op], *arguments(graph, each))


def arguments(graph: Graph, each: Instruction) -> list[Value]:
    """The operands of a call that are numbers or values."""
    words = each.words[1:]
    return [
        graph.value(word, TYPES[kind])
        for kind, word in zip(words[::2], words[1::2], strict=True)
        if kind in TYPES
    ]


ARITHMETIC: dict[str, Rule] = {
    "add": same("iadd"), "mul": same("imul"), "and": same("and"), "or": same("or"),
    "xor": same("xor"), "shl": same("ishl"), "lshr": same("ushr"), "urem": same("urem"),
    "fadd": same("fadd"), "fmul": same("fmul"), "icmp eq": same("ieq"), "icmp ne": same("ine"),
    "icmp ult": same("ult"), "icmp ugt": turned("ult"), "@UMax": called("umax"),
    "@Countbits": called("popcount"),
    "zext": lambda graph, each: graph.b.select(graph.value(each.words[1]), graph.b.i32(1), 0),
    "bitcast": lambda graph, each: graph.b.make(
        OPS.asint if each.words[0] == "float" else OPS.asfloat, graph.value(each.words[1])
    ),
    "fpext": lambda graph, each: graph.b.fconv(graph.value(each.words[1]), type=F32),
    "fptrunc": lambda graph, each: graph.b.fconv(graph.value(each.words[1]), type=F16),
    "@ThreadId": lambda graph, each: graph.b.source("thread_id.x"),
    # fmul and fadd in half, as the flags of the function say
    "@FMad": lambda graph, each: _mad(graph, *arguments(graph, each)),
}  # fmt: skip


def _mad(graph: Graph, a: Value, b: Value, c: Value) -> Value:
    return graph.b.fadd(graph.b.fmul(a, b), c)


# ---------------------------------------------------------------- what is bound

LABELS = {SystemValue.THREAD_ID: "SV_DispatchThreadID"}


class Bindings:
    """Handles `t0`, `u1`, `cb0`, and the functions that read and write them."""

    def __init__(self, b: Lines, *names: str) -> None:
        self.b = b
        self.resources: list[LoweredResource] = []
        self.memories: dict[str, Memory] = {}
        self.texts: dict[str, list[Value]] = {}
        for name in names:
            self._declare(name)
        self.rules: dict[str, Rule] = {
            **ARITHMETIC,
            "@RawBufferLoad": self._load,
            "@RawBufferStore": self._store,
            "@CBufferLoadLegacy": self._row,
            "extractvalue": lambda graph, each: self.texts[each.words[1]][int(each.words[2])],
        }

    def _declare(self, name: str) -> None:
        letter, number = name[:-1], int(name[-1])
        if letter == "cb":
            slot = ResourceSlot(ResourceClass.CONSTANTS, number)
            self.memories[name] = self.b.constants(name, slot)
            self.resources.append(LoweredResource(name, Form.CONSTANTS, 16, size=48, slot=slot))
            return
        written = letter == "u"
        slot = ResourceSlot(ResourceClass.WRITE if written else ResourceClass.READ, number)
        memory = self.memories[name] = self.b.buffer(name, slot, writable=written)
        memory.raw = True
        self.resources.append(LoweredResource(name, Form.RAW, 4, written, slot=slot))

    def _load(self, graph: Graph, each: Instruction) -> Value:
        kind, name, _, at = each.words
        return self.b.load(self.memories[name], self.b.ushr(graph.value(at), 2), 0, TYPES[kind])

    def _store(self, graph: Graph, each: Instruction) -> None:
        _, name, _, at, kind, value = each.words
        place = self.b.ushr(graph.value(at, I32), 2)
        self.b.store(self.memories[name], place, 0, graph.value(value, TYPES[kind]))

    def _row(self, graph: Graph, each: Instruction) -> None:
        kind, name, _, row = each.words
        memory = self.memories[name]
        self.texts[each.result] = [
            self.b.load(memory, int(row), 4 * at, TYPES[kind.removeprefix("CBufRet.")])
            for at in range(4)
        ]


def compute(*rows: tuple[str, str], group: int = 64) -> Reflection:
    """A compute shader and its raw buffers: name and register."""
    found = Reflection(
        format="dxil_by_hand", code="dxil", stage=Stage.COMPUTE, model="6.6", profile="cs_6_6",
        entry_point="main", builtins=[SystemValue.THREAD_ID], thread_group=[group, 1, 1],
    )  # fmt: skip
    for name, register in rows:
        letter, number = register[:-1], int(register[-1])
        kind = ResourceKind.CONSTANT_BUFFER if letter == "cb" else ResourceKind.RAW_BUFFER
        found.resources.append(
            Bound(
                name=name, kind=kind, writable=letter == "u", register=number,
                register_class="b" if letter == "cb" else letter,
            )
        )  # fmt: skip
    return found


# ---------------------------------------------------------------- a graph with several exits

COLLATZ = text("collatz.ll")


def _collatz(b: Lines, chosen: Specialisation) -> Lowered:
    b.kernel.group = 64, 1, 1
    bound = Bindings(b, "t0", "u1")
    Graph(b, SYNTAX, bound.rules).build()
    return b.lowered(*bound.resources, labels=LABELS)


# ---------------------------------------------------------------- waves

WAVES = text("waves.ll")


def _waves(b: Lines, chosen: Specialisation) -> Lowered:
    b.kernel.group = 64, 1, 1
    bound = Bindings(b, "t0", "u1")

    def wave(op: str, combined: str = "") -> Rule:
        attr = Wave(OPS[combined] if combined else None)
        return lambda graph, each: b.make(OPS[op], *arguments(graph, each), attr=attr)

    def ballot(graph: Graph, each: Instruction) -> None:
        (condition,) = arguments(graph, each)
        bound.texts[each.result] = [
            b.wave_ballot(condition, attr=Wave(word=number)) for number in range(4)
        ]

    def atomic(op: str) -> Rule:
        def rule(graph: Graph, each: Instruction) -> Value:
            at, value = arguments(graph, each._replace(words=["", *each.words[2:]]))
            return b.make(OPS[op], b.ushr(at, 2), 0, value, attr=bound.memories[each.words[1]])

        return rule

    rules: dict[str, Rule] = {
        **bound.rules,
        "@WaveActiveSum": wave("wave_reduce", "iadd"),
        "@WaveActiveUMax": wave("wave_reduce", "umax"),
        "@WavePrefixSum": wave("wave_before", "iadd"),
        "@WaveIsFirstLane": wave("wave_elect"),
        "@WaveAllTrue": wave("wave_all"),
        "@WaveReadLaneFirst": wave("wave_first"),
        "@WaveReadLaneAt": wave("wave_read"),
        "@WaveActiveBallot": ballot,
        "@WaveGetLaneIndex": lambda graph, each: b.source("wave_lane"),
        "@AtomicAdd": atomic("atomic_add"),
        "@AtomicUMax": atomic("atomic_umax"),
    }
    Graph(b, SYNTAX, rules).build()
    return b.lowered(*bound.resources, labels=LABELS)


# ---------------------------------------------------------------- constants

CONSTANTS = text("constants.ll")


def _constants(b: Lines, chosen: Specialisation) -> Lowered:
    bound = Bindings(b, "t2", "u1", "cb0")
    Graph(b, SYNTAX, bound.rules).build()
    return b.lowered(*bound.resources, labels=LABELS)


def _with_buffer(found: Reflection) -> Reflection:
    kinds = {
        "base": (0, TypeDescription(type_class=TypeClass.SCALAR, scalar="uint", size=4)),
        "scale": (4, TypeDescription(type_class=TypeClass.SCALAR, scalar="float", size=4)),
        "off": (
            8, TypeDescription(type_class=TypeClass.VECTOR, scalar="float", columns=2, size=8)
        ),
        "m": (
            16,
            TypeDescription(
                type_class=TypeClass.MATRIX_ROWS, scalar="float", rows=2, columns=2, size=24,
                matrix_stride=16,
            ),
        ),
    }  # fmt: skip
    variables = [
        Variable(name=name, offset=at, size=kind.size, type=kind)
        for name, (at, kind) in kinds.items()
    ]
    found.constant_buffers.append(
        ConstantBuffer(
            name="PC", kind=BufferKind.CONSTANT_BUFFER, resource=2, size=40, variables=variables
        )
    )
    return found


class DxilProgram(Handmade):
    language = "dxil"


PLAIN = ("in", "t0"), ("out", "u1")
Dxil = family(ABOUT, DxilProgram, [
    Module(COLLATZ, compute(*PLAIN), _collatz),
    Module(WAVES, compute(*PLAIN), _waves, frozenset({"wave_size"})),
    Module(
        CONSTANTS, _with_buffer(compute(("in", "t2"), ("out", "u1"), ("PC", "cb0"), group=1)),
        _constants,
    ),
])  # fmt: skip
