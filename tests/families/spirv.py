"""SPIR-V: descriptor sets, push and specialisation constants, subgroups, loops with merge blocks.

The compute modules are modelled on c05, c15 and c25 of the corpus' execution/, and have the same
golden results; the graphics modules on its g01 to g03.
"""

from collections.abc import Mapping

from unshade.format import Format
from unshade.ir.kernel import Value
from unshade.ir.lowered import Form, Lowered, LoweredResource
from unshade.ir.memory import Memory, Space
from unshade.ir.ops import OPS
from unshade.ir.specialisation import Specialisation
from unshade.ir.types import F32
from unshade.ir.waves import Wave
from unshade.model import (
    BufferKind,
    ConstantBuffer,
    Reflection,
    ResourceKind,
    SpecialisationConstant,
    Stage,
    TypeDescription,
)
from unshade.model import Resource as Bound
from unshade.vocab.slots import ResourceClass, ResourceSlot
from unshade.vocab.words import SystemValue

from .facts import FLOAT, UINT, matrix, variable, vector
from .handmade import Handmade, Lines, Module, family, text
from .spirv_graphics import MODULES
from .spirv_text import ARITHMETIC, SYNTAX, TYPES
from .ssa import Graph, Instruction, Rule, lowered

ABOUT = Format(
    "spirv_by_hand", b"SPV!", f"{__name__}:SpirV", suffix=".spvtext", says=r"; SpvOp\b",
    example="; SpvOp", texts=(".spvop",), tool="spvop",
)  # fmt: skip

# ---------------------------------------------------------------- what is bound


def place(binding: int, *, writable: bool = False, space: int = 0) -> ResourceSlot:
    """Return the slot of a descriptor set and binding."""
    kind = ResourceClass.WRITE if writable else ResourceClass.READ
    return ResourceSlot(kind, binding, space, element=0)


def compute(*rows: tuple[str, int, str, TypeDescription], group: int = 64) -> Reflection:
    """Return the reflection of a compute shader.

    The rows are its storage blocks: name, binding, the name of its only member and its type.
    """
    resources, layouts = [], []
    for at, (name, binding, member, kind) in enumerate(rows):
        resources.append(
            Bound(
                name=name, kind=ResourceKind.STRUCTURED_BUFFER, register=binding,
                writable=name == "Out", stride=kind.size,
            )
        )  # fmt: skip
        layouts.append(
            ConstantBuffer(
                name=name, kind=BufferKind.ELEMENT, resource=at, size=kind.size,
                variables=[variable(member, 0, kind)],
            )
        )  # fmt: skip
    return Reflection(
        format="spirv_by_hand", code="spirv", stage=Stage.COMPUTE, model="1.5", entry_point="main",
        builtins=[SystemValue.THREAD_ID], resources=resources, constant_buffers=layouts,
        thread_group=[group, 1, 1],
    )  # fmt: skip


LABELS = {SystemValue.THREAD_ID: "gl_GlobalInvocationID"}


class Blocks:
    """Storage blocks of a module, and the rules that load and store: `%InU %g`."""

    def __init__(self, b: Lines, group: int = 64, **bindings: int) -> None:
        b.kernel.group = group, 1, 1
        self.b = b
        self.memories: dict[str, Memory] = {}
        self.resources: list[LoweredResource] = []
        for name, at in bindings.items():
            written = name == "Out"
            slot = place(at, writable=written)
            self.memories[f"%{name}"] = b.buffer(name, slot, writable=written)
            self.resources.append(LoweredResource(name, Form.STRUCTURED, 4, written, slot=slot))
        self.rules: dict[str, Rule] = {
            **ARITHMETIC,
            "GlobalInvocationId": lambda graph, each: b.source("thread_id.x"),
            "SpvOpLoad": lambda graph, each: b.load(
                self.memories[each.words[1]], graph.value(each.words[2]), 0, TYPES[each.words[0]]
            ),
            "SpvOpStore": lambda graph, each: b.store(
                self.memories[each.words[0]], graph.value(each.words[1]), 0,
                graph.value(each.words[2]),
            ),
        }  # fmt: skip

    def lowered(
        self,
        rules: Mapping[str, Rule] | None = None,
        values: Mapping[str, Value] | None = None,
        *others: LoweredResource,
    ) -> Lowered:
        """Lower the text with these rules beside those of the blocks, and other resources."""
        return lowered(
            self.b, SYNTAX, self.rules | dict(rules or {}), [*self.resources, *others],
            values=values, labels=LABELS,
        )  # fmt: skip


# ---------------------------------------------------------------- nested loops

COLLATZ = text("collatz.spvasm")


def _collatz(b: Lines, chosen: Specialisation) -> Lowered:
    return Blocks(b, InU=0, Out=1).lowered()


# ---------------------------------------------------------------- subgroups

SUBGROUP = text("subgroup.spvasm")


def _subgroup(b: Lines, chosen: Specialisation) -> Lowered:
    blocks = Blocks(b, InU=0, Out=1)
    out = blocks.memories["%Out"]
    ballots: dict[str, list[Value]] = {}

    def group(op: str, combined: str) -> Rule:
        names = {"Reduce": OPS.wave_reduce, "ExclusiveScan": OPS.wave_before}

        def rule(graph: Graph, each: Instruction) -> Value:
            value = graph.value(each.words[3])
            return b.make(names[each.words[2]], value, attr=Wave(op=OPS[combined]))

        return rule

    def wave(op: str) -> Rule:
        return lambda graph, each: b.make(OPS[op], *graph.values(each.words[2:]), attr=Wave())

    def atomic(op: str) -> Rule:
        return lambda graph, each: b.make(
            OPS[op], graph.value(each.words[2]), 0, graph.value(each.words[3]), attr=out
        )

    def ballot(graph: Graph, each: Instruction) -> None:
        condition = graph.value(each.words[2])
        ballots[each.result] = [b.wave_ballot(condition, attr=Wave(word=n)) for n in range(4)]

    def bits(graph: Graph, each: Instruction) -> Value:
        first, *others = (b.popcount(word) for word in ballots[each.words[3]])
        for other in others:
            first = b.iadd(first, other)
        return first

    rules: dict[str, Rule] = {
        "SubgroupLocalInvocationId": lambda graph, each: b.source("wave_lane"),
        "SpvOpGroupNonUniformIAdd": group("IAdd", "iadd"),
        "SpvOpGroupNonUniformUMax": group("UMax", "umax"),
        "SpvOpGroupNonUniformElect": wave("wave_elect"),
        "SpvOpGroupNonUniformAll": wave("wave_all"),
        "SpvOpGroupNonUniformBroadcastFirst": wave("wave_first"),
        "SpvOpGroupNonUniformBallot": ballot,
        "SpvOpGroupNonUniformBallotBitCount": bits,
        "SpvOpGroupNonUniformShuffleXor": lambda graph, each: b.wave_xor(
            graph.value(each.words[2]), graph.value(each.words[3])
        ),
        "SpvOpAtomicIAdd": atomic("atomic_add"),
        "SpvOpAtomicUMax": atomic("atomic_umax"),
    }
    return blocks.lowered(rules)


# ---------------------------------------------------------------- constants

CONSTANTS = text("constants.spvasm")
PUSHED = {
    "base": 0, "scale": 4, "offx": 8, "offy": 12, "m00": 16, "m01": 20, "m10": 24, "m11": 28,
}  # fmt: skip


def _constants(b: Lines, chosen: Specialisation) -> Lowered:
    found = chosen.resolved({0: ("N", 4), 1: ("S", 1.5), 2: ("F", True), 10: ("", 1)})
    turns, size = int(found[0]), int(found[10])
    blocks = Blocks(b, size, Out=1, InF=2)
    slot = ResourceSlot(ResourceClass.PUSH, 0)
    pushed = b.constants("pc", slot, 4)
    array = b.memory("a", Space.LOCAL, 4, turns)

    def push(graph: Graph, each: Instruction) -> Value:
        return b.load(pushed, PUSHED[each.words[1]] // 4, 0, TYPES[each.words[0]])

    rules: dict[str, Rule] = {
        "SpvOpLoadPush": push,
        "SpvOpStoreLocal": lambda graph, each: b.store(
            array, graph.value(each.words[1]), 0, graph.value(each.words[2])
        ),
        "SpvOpLoadLocal": lambda graph, each: b.load(array, graph.value(each.words[2]), 0, F32),
    }
    values = {
        "%N": b.i32(turns), "%S": b.f32(float(found[1])), "%F": b.bool(bool(found[2])),
        "%size": b.i32(size),
    }  # fmt: skip
    bound = LoweredResource("pc", Form.CONSTANTS, 4, size=32, slot=slot)
    return blocks.lowered(rules, values, bound)


def _with_push(found: Reflection) -> Reflection:
    found.specialisation_constants += [
        SpecialisationConstant(id=0, type="uint", default=4, name="N"),
        SpecialisationConstant(id=1, type="float", default=1.5, name="S"),
        SpecialisationConstant(id=2, type="bool", default=True, name="F"),
        SpecialisationConstant(id=10, type="uint", default=1),
    ]  # fmt: skip
    variables = [
        variable("base", 0, UINT), variable("scale", 4, FLOAT), variable("off", 8, vector(2)),
        variable("m", 16, matrix(2, 2, 8)),
    ]  # fmt: skip
    found.constant_buffers.append(
        ConstantBuffer(name="pc", kind=BufferKind.PUSH_CONSTANTS, size=32, variables=variables)
    )
    return found


# ---------------------------------------------------------------- the family


class SpirVProgram(Handmade):
    language = "spirv"


IN, OUT = ("InU", 0, "iu", UINT), ("Out", 1, "ou", UINT)
SpirV = family(ABOUT, SpirVProgram, [
    Module(COLLATZ, compute(IN, OUT), _collatz),
    Module(SUBGROUP, compute(IN, OUT), _subgroup, frozenset({"wave_size"})),
    Module(
        CONSTANTS, _with_push(compute(OUT, ("InF", 2, "fi", FLOAT))), _constants,
        frozenset({"constants"}),
    ),
    *MODULES,
])  # fmt: skip
