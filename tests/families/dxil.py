"""DXIL: handles, raw buffers, constant buffers, wave operations, graphs without merge blocks.

The modules are modelled on the output of dxc for c05, c15 and c25 of the corpus' execution/, and
have the same golden results.
"""

import re
from collections.abc import Mapping, Sequence

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
)
from unshade.model import Resource as Bound
from unshade.vocab.slots import ResourceClass, ResourceSlot
from unshade.vocab.words import SystemValue

from .facts import FLOAT, UINT, matrix, variable, vector
from .handmade import Handmade, Lines, Module, family, text
from .ssa import Branch, Graph, Instruction, Rule, Syntax, lowered, operations, phis

ABOUT = Format(
    "dxil_by_hand", b"DXI!", f"{__name__}:Dxil", suffix=".dxiltext", says=r"; DXIL\b",
    example="; DXIL", texts=(".ll",), tool="dxc",
)  # fmt: skip

# ---------------------------------------------------------------- the text

TYPES: dict[str, Type] = {
    "i32": I32, "i1": BOOL, "float": F32, "half": F16, "i16": I16, "f32": F32,
}  # fmt: skip


def _label(line: str) -> str | None:
    found = re.fullmatch(r"(\w+):(?: *;.*)?", line)
    return found and f"%{found[1]}"


def _instruction(line: str) -> tuple[str, str, Sequence[str]]:
    """Split `%9 = call i32 @dx.op.waveActiveOp(i32 %8)` into result, operation and words."""
    result, equals, rest = line.strip().partition(" = ")
    name, *words = re.findall(r"[^\s,()\[\]]+", rest if equals else result)
    if name == "call":
        kind, name, *words = words
        words.insert(0, kind)
    elif name in ("icmp", "fcmp"):
        name, *words = f"{name} {words[0]}", *words[1:]
    return result if equals else "", name, words


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


SYNTAX = Syntax(_label, _instruction, phis("phi", TYPES), _branch, lambda each: None, _literal)


def called(op: str) -> Rule:
    """Return a rule for a function that is an operation of `ir`; each operand has its type."""
    return lambda graph, each: graph.b.make(OPS[op], *arguments(graph, each))


def arguments(graph: Graph, each: Instruction) -> list[Value]:
    """Return the operands of a call that are literals or values."""
    words = each.words[1:]
    return [
        graph.value(word, TYPES[kind])
        for kind, word in zip(words[::2], words[1::2], strict=True)
        if kind in TYPES
    ]


ARITHMETIC: dict[str, Rule] = {
    **operations(
        TYPES,
        {
            "add": "iadd", "mul": "imul", "and": "and", "or": "or", "xor": "xor", "shl": "ishl",
            "lshr": "ushr", "urem": "urem", "fadd": "fadd", "fmul": "fmul", "icmp eq": "ieq",
            "icmp ne": "ine", "icmp ult": "ult",
        },
        {"icmp ugt": "ult"},
    ),
    "@UMax": called("umax"), "@Countbits": called("popcount"),
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

    def __init__(self, b: Lines, *names: str, group: int = 64) -> None:
        b.kernel.group = group, 1, 1
        self.b = b
        self.resources: list[LoweredResource] = []
        self.memories: dict[str, Memory] = {}
        self.aggregates: dict[str, list[Value]] = {}
        for name in names:
            self._declare(name)
        self.rules: dict[str, Rule] = {
            **ARITHMETIC,
            "@RawBufferLoad": self._load,
            "@RawBufferStore": self._store,
            "@CBufferLoadLegacy": self._row,
            "extractvalue": lambda graph, each: self.aggregates[each.words[1]][int(each.words[2])],
        }

    def lowered(self, rules: Mapping[str, Rule] | None = None) -> Lowered:
        """Lower the text with these rules beside those of the bindings."""
        own = self.rules | dict(rules or {})
        return lowered(self.b, SYNTAX, own, self.resources, labels=LABELS)

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
        self.aggregates[each.result] = [
            self.b.load(memory, int(row), 4 * at, TYPES[kind.removeprefix("CBufRet.")])
            for at in range(4)
        ]


def compute(*rows: tuple[str, str], group: int = 64) -> Reflection:
    """Return the reflection of a compute shader; the rows are its buffers: name and register."""
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
    return Bindings(b, "t0", "u1").lowered()


# ---------------------------------------------------------------- waves

WAVES = text("waves.ll")


def _waves(b: Lines, chosen: Specialisation) -> Lowered:
    bound = Bindings(b, "t0", "u1")

    def wave(op: str, combined: str = "") -> Rule:
        attr = Wave(OPS[combined] if combined else None)
        return lambda graph, each: b.make(OPS[op], *arguments(graph, each), attr=attr)

    def ballot(graph: Graph, each: Instruction) -> None:
        (condition,) = arguments(graph, each)
        bound.aggregates[each.result] = [
            b.wave_ballot(condition, attr=Wave(word=number)) for number in range(4)
        ]

    def atomic(op: str) -> Rule:
        def rule(graph: Graph, each: Instruction) -> Value:
            at, value = arguments(graph, each._replace(words=["", *each.words[2:]]))
            return b.make(OPS[op], b.ushr(at, 2), 0, value, attr=bound.memories[each.words[1]])

        return rule

    rules: dict[str, Rule] = {
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
    return bound.lowered(rules)


# ---------------------------------------------------------------- constants

CONSTANTS = text("constants.ll")


def _constants(b: Lines, chosen: Specialisation) -> Lowered:
    return Bindings(b, "t2", "u1", "cb0", group=1).lowered()


def _with_buffer(found: Reflection) -> Reflection:
    variables = [
        variable("base", 0, UINT), variable("scale", 4, FLOAT), variable("off", 8, vector(2)),
        variable("m", 16, matrix(2, 2, 16, by_rows=True)),
    ]  # fmt: skip
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
