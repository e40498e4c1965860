"""Inlined kernels, compared with the same kernels alone."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.ir.generate import generate
from tests.ir.library.images import Image, Words, red, same
from tests.ir.running import GUARD, Outcome, interpreted, run
from tests.oracle.interpret import interpret
from tests.oracle.verify import check
from unshade.errors import UnsupportedError, UsageError
from unshade.ir.builder import Builder
from unshade.ir.kernel import DEEPEST, KernelIR, Value
from unshade.ir.library.sampling import SamplerState
from unshade.ir.locations import SourceLocation, calls
from unshade.ir.lowered import Form, Lowered, LoweredResource, Points
from unshade.ir.memory import Memory, Port, Space
from unshade.ir.ops import OPS
from unshade.ir.textures import Action, Level, Sample, Shape
from unshade.ir.transforms.functions import MOST, Calls
from unshade.ir.transforms.inlining import Inliner
from unshade.ir.types import F32, FLUSH_32, I32, KEEP
from unshade.vocab.slots import Direction, PointsSlot, Rate, ResourceClass, ResourceSlot
from unshade.vocab.words import Stage

pytestmark = pytest.mark.heavy

ITEMS = 16
# Numbers between 0 and 1 in two orders.
X, Y = (
    ((np.arange(ITEMS, dtype=np.float32) * by % 16 + 0.5) / 16).view(np.uint32) for by in (7, 5)
)
CONSTANTS = np.array([3, 0, 0, 0], np.uint32)
OTHERS = np.array([5, 0, 0, 0], np.uint32)
IMAGE = Image([red(*(each / 16 for each in range(16))).reshape(4, 4, 4)], (4, 4, 1))
LINEAR = SamplerState()


def slot(kind: ResourceClass, number: int = 0) -> ResourceSlot:
    return ResourceSlot(kind, number)


def begun(*inputs: str) -> tuple[Builder, list[Value]]:
    """Return a pixel kernel and its inputs."""
    b = Builder(KernelIR(stage=Stage.PIXEL))
    ports = [Port(name, F32) for name in inputs]
    b.kernel.inputs += ports
    return b, [b.input(port) for port in ports]


def give(b: Builder, name: str, value: Value) -> None:
    """Output a value."""
    port = Port(name, value.type)
    b.kernel.outputs.append(port)
    b.output(port, value)


def child() -> Lowered:
    """Return a kernel that sums texels in a loop; lanes return early, or are discarded.

    Its variables and memory start as zero, and so does `late` in lanes that return early.
    """
    b, (x, y) = begun("x", "y")
    places = [slot(each) for each in (
        ResourceClass.CONSTANTS, ResourceClass.READ, ResourceClass.SAMPLER,
    )]  # fmt: skip
    constants = b.memory("cb0", Space.CONSTANT, 16, slot=places[0])
    table = b.memory("icb", Space.TABLE, 4, 2, data=bytes((1, 0, 0, 0, 2, 0, 0, 0)))
    array = b.memory("x0", Space.LOCAL, 6, 2)
    texture, sampler = b.texture("t0", Shape.D2), b.sampler("s0")
    texture.slot, sampler.slot = places[1:]
    sample = Sample(Action.SAMPLE, texture, sampler, Level.ZERO)
    count, total, never = b.var("r0.x"), b.var("sum", F32), b.var("never", F32)
    late = Port("late", I32)
    with b.loop():
        b.line = 2
        now = b.get(count)
        with b.when(b.ule(b.load(constants, 0), now)):
            b.break_()
        texel = b.part(b.sample(x, y, attr=sample), type=F32, attr=0)
        b.set(total, b.fadd(b.fadd(b.get(total), texel), b.get(never)))
        b.store(array, b.and_(now, 1), 0, b.iadd(b.load(array, 0), b.load(table, 1)))
        b.set(count, b.iadd(now, 1))
        with b.when(b.and_(b.flt(b.get(total), x), b.flt(y, 0.5))):
            b.line = 3
            give(b, "red", b.get(total))
            b.return_()
    b.set(never, x)
    b.discard(b.flt(0.8, x))
    b.output(b.kernel.outputs[0], b.fmul(b.get(total), y))
    b.kernel.outputs.append(late)
    b.output(late, b.load(array, 0))
    resources = [
        LoweredResource("cb0", Form.CONSTANTS, 16, size=16, slot=places[0]),
        LoweredResource("t0", Form.TEXTURE, shape=Shape.D2, slot=places[1]),
        LoweredResource("s0", Form.SAMPLER, slot=places[2]),
    ]
    return Lowered(check(b.kernel), resources, ["child", "two", "three"])


def shifted(by: int) -> Callable[[ResourceSlot], ResourceSlot]:
    return lambda each: each._replace(number=each.number + by)


def host(*inputs: str) -> tuple[Builder, list[Value], Inliner]:
    """Return a kernel to inline into, with a constant memory and variable of the same names."""
    b, values = begun(*inputs)
    place = slot(ResourceClass.CONSTANTS)
    constants = b.memory("cb0", Space.CONSTANT, 16, slot=place)
    lowered = Lowered(b.kernel, lines=["host", "two"])
    lowered.resources.append(LoweredResource("cb0", Form.CONSTANTS, 16, slot=place))
    kept = b.var("r0.x")
    b.set(kept, b.load(constants, 0))
    give(b, "mine", b.get(kept))
    return b, values, Inliner(lowered, Calls(b))


def everywhere(lowered: Lowered, prefixes: list[str], x: Words, y: Words) -> Outcome:
    """Return the common result of all engines and the interpreter, zero for missing outputs.

    Each prefix has its constants and image.
    """
    check(lowered.kernel)
    memories: dict[str, Any] = {"cb0": OTHERS}
    for prefix in prefixes:
        memories[f"{prefix}cb0"] = CONSTANTS
    given: Mapping[str, Any] = {
        "memories": memories,
        "images": {f"{prefix}t0": IMAGE for prefix in prefixes},
        "samplers": {f"{prefix}s0": LINEAR for prefix in prefixes},
        "inputs": {"x": x, "y": y},
        "items": ITEMS,
    }
    found, expected = run(lowered, **given), interpreted(lowered, **given)
    found.outputs = {at: np.where(data == GUARD, 0, data) for at, data in found.outputs.items()}
    covered = found.outputs["covered"] == 1
    for name, data in found.outputs.items():
        same(data[covered], expected.outputs[name][covered], name)
    return found


def alone(x: Words = X, y: Words = Y) -> Outcome:
    """Return the result of the child alone."""
    return everywhere(child(), [""], x, y)


def seen(found: Outcome, *others: Outcome) -> Any:
    """Return the lanes that no kernel discarded."""
    kept = found.outputs["covered"] == 1
    for other in others:
        kept &= other.outputs["covered"] == 1
    assert 0 < np.count_nonzero(kept) < ITEMS
    return kept


def compare(found: Words, expected: Words, kept: Any, name: str) -> None:
    same(found[kept], expected[kept], name)


@pytest.mark.slow
def test_the_child_alone_takes_every_path() -> None:
    found = alone()
    kept = seen(found)
    returned = found.outputs["late"] == 0
    assert 0 < np.count_nonzero(returned & kept) < np.count_nonzero(kept)


@pytest.mark.slow
def test_an_inlined_child_behaves_as_alone() -> None:
    b, (x, y), inliner = host("x", "y")
    given = inliner.inline("child", child(), {"x": x, "y": y}, shifted(4))
    give(b, "red", given["red"])
    give(b, "late", given["late"])
    found, expected = everywhere(inliner.host, ["child."], X, Y), alone()
    kept = seen(found)
    assert np.array_equal(kept, seen(expected))
    for name in ("red", "late"):
        compare(found.outputs[name], expected.outputs[name], kept, name)
    same(found.outputs["mine"][kept], np.full(np.count_nonzero(kept), 5, np.uint32), "mine")


@pytest.mark.slow
def test_equal_slots_are_bound_once() -> None:
    b, (x, y), inliner = host("x", "y")
    one = child()
    first = inliner.inline("child", one, {"x": x, "y": y}, shifted(4))
    second = inliner.inline("child", one, {"x": y, "y": first["red"]}, shifted(4))
    give(b, "first", first["red"])
    give(b, "second", second["red"])
    kernel = b.kernel
    assert [each.name for each in kernel.textures] == ["child.t0"]
    assert [each.name for each in inliner.host.resources] == [
        "cb0", "child.cb0", "child.t0", "child.s0",
    ]  # fmt: skip
    assert [each.slot.number for each in inliner.host.resources if each.slot] == [0, 4, 4, 4]
    assert sum(each.space is Space.TABLE for each in kernel.memories) == 1
    assert inliner.host.lines == ["host", "two", "child", "two", "three"]
    found, before = everywhere(inliner.host, ["child."], X, Y), alone()
    after = alone(Y, before.outputs["red"])
    kept = seen(found, before, after)
    compare(found.outputs["first"], before.outputs["red"], kept, "first")
    compare(found.outputs["second"], after.outputs["red"], kept, "second")


@pytest.mark.slow
def test_different_slots_are_bound_twice() -> None:
    b, (x, y), inliner = host("x", "y")
    one = child()
    for number in (1, 2):
        given = inliner.inline(f"child{number}", one, {"x": x, "y": y}, shifted(number))
        give(b, f"red{number}", given["red"])
    found, expected = everywhere(inliner.host, ["child1.", "child2."], X, Y), alone()
    kept = seen(found)
    for name in ("red1", "red2"):
        compare(found.outputs[name], expected.outputs["red"], kept, name)


@pytest.mark.slow
def test_children_of_children() -> None:
    b, (u, v), inner = host("u", "v")
    for name, value in inner.inline("child", child(), {"x": u, "y": v}, shifted(1)).items():
        give(b, str(name), value)
    check(b.kernel)
    b, (x, y), outer = host("x", "y")
    b.line = 2
    given = outer.inline("middle", inner.host, {"u": x, "v": y}, shifted(1))
    for name in ("red", "late"):
        give(b, name, given[name])
    prefix = "middle.child."
    kernel = b.kernel
    assert [each.slot.number for each in kernel.textures if each.slot] == [2]
    lines = outer.host.lines
    sampled = next(each for each in kernel.values() if each.op is OPS.sample)
    assert (lines[sampled.line - 1], len(lines)) == ("two", 7)
    memories = {"cb0": OTHERS, "middle.cb0": OTHERS, f"{prefix}cb0": CONSTANTS}
    found = run(
        outer.host, memories=memories, images={f"{prefix}t0": IMAGE},
        samplers={f"{prefix}s0": LINEAR}, inputs={"x": X, "y": Y}, items=ITEMS,
    )  # fmt: skip
    expected = alone()
    kept = seen(found)
    for name in ("red", "late"):
        compare(found.outputs[name], expected.outputs[name], kept, name)


def test_a_texture_with_its_sampler() -> None:
    """Both have one slot and one name."""
    b, (x,) = begun("x")
    place = slot(ResourceClass.COMBINED_SAMPLER, 2)
    texture, sampler = b.texture("src", Shape.D1), b.sampler("src")
    texture.slot = sampler.slot = place
    b.sample(x, attr=Sample(Action.SAMPLE, texture, sampler, Level.ZERO))
    one = Lowered(b.kernel, [LoweredResource("src", Form.TEXTURE, shape=Shape.D1, slot=place)])
    b, (x, _), inliner = host("x", "y")
    for _ in range(2):
        inliner.inline("child", one, {"x": x})
    check(b.kernel)
    (found,), (filtering,) = b.kernel.textures, b.kernel.samplers
    assert (found.name, filtering.key) == ("child.src", place)
    assert [(each.name, each.slot) for each in inliner.host.resources[1:]] == [("child.src", place)]


@pytest.mark.slow
def test_a_child_in_a_loop_starts_with_zeros() -> None:
    b, (x, y), inliner = host("x", "y")
    one, turn, total = child(), b.var("turn"), b.var("late")
    with b.loop():
        given = inliner.inline("child", one, {"x": x, "y": y}, shifted(4))
        b.set(total, b.iadd(b.get(total), given["late"]))
        b.set(turn, b.iadd(b.get(turn), 1))
        with b.when(b.ieq(b.get(turn), 3)):
            b.break_()
    give(b, "late", b.get(total))
    found, expected = everywhere(inliner.host, ["child."], X, Y), alone()
    kept = seen(found)
    compare(found.outputs["late"], 3 * expected.outputs["late"], kept, "late")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_inlined_random_kernels_behave_as_alone(seed: int) -> None:
    same_program, program = generate(seed), generate(seed)
    inner = program.kernel
    if any(each.space is Space.SHARED for each in inner.memories):
        return  # three of four
    kernel = KernelIR(stage=inner.stage, group=inner.group, flush=inner.flush, wave=inner.wave)
    b = Builder(kernel)
    kernel.inputs += [replace(each) for each in inner.inputs]
    kernel.outputs += [replace(each) for each in inner.outputs]
    given = {port.key: b.input(port) for port in kernel.inputs}
    found = Inliner(Lowered(kernel), Calls(b)).inline("child", Lowered(inner), given)
    for port in kernel.outputs:
        b.output(port, found[port.key])
    given_memories, expected_memories = program.memories(), same_program.memories()
    options: Mapping[str, Any] = {
        "groups": program.groups, "items": program.items, "inputs": program.inputs,
        "helpers": program.helpers,
    }  # fmt: skip
    left = interpret(
        check(kernel), {f"child.{name}": data for name, data in given_memories.items()}, **options
    )
    expected = interpret(same_program.kernel, expected_memories, **options)
    assert given_memories == expected_memories
    assert (left.messages, left.discarded) == (expected.messages, expected.discarded)
    assert left.outside == {f"child.{name}": many for name, many in expected.outside.items()}
    if not expected.discarded:  # a discarded lane may have given something before
        assert left.outputs == expected.outputs


def test_lines_and_sources_of_children() -> None:
    """Listings are concatenated; sources with the name of a source of the host are renamed."""

    def written(text: str) -> tuple[Builder, Inliner]:
        b, _ = begun()
        b.line, b.location = 1, SourceLocation("a.txt", 7, function=text)
        b.discard(b.bool(False))
        sources = {"a.txt": text, "all.txt": "same"}
        return b, Inliner(Lowered(b.kernel, lines=[text], sources=sources), Calls(b))

    _, inner = written("inner")
    b, middle = written("middle")
    middle.inline("child", inner.host, {})
    b, outer = written("outer")
    outer.inline("one", middle.host, {})
    outer.inline("two", middle.host, {})
    assert outer.host.lines == ["outer", "middle", "inner"]
    assert outer.host.sources == {
        "a.txt": "outer", "all.txt": "same", "one/a.txt": "middle", "child/a.txt": "inner",
    }  # fmt: skip
    found = []
    for value in b.kernel.values():
        stack = [value.location, *(each.location for each in calls(value.location))]
        places = [(each.file, each.function) for each in stack if each is not None]
        found.append((value.line, [each.line for each in calls(value.location)], places))
    host, one = ("a.txt", "outer"), ("one/a.txt", "middle")
    once = [
        (2, [1], [one, host]),
        (3, [2, 1], [("child/a.txt", "inner"), one, host]),
    ]
    assert found == [(1, [], [host]), *once, *once]


# ---------------------------------------------------------------- errors


def small() -> Lowered:
    """Return a kernel that doubles a number."""
    b, (x,) = begun("x")
    give(b, "y", b.fadd(x, x))
    return Lowered(b.kernel)


def refused(child: Lowered, inputs: Mapping[str, Value] | None = None) -> None:
    _, (x,), inliner = host("x")
    inliner.inline("child", child, {"x": x} if inputs is None else inputs)


def test_inputs_must_match() -> None:
    b, (x,) = begun("x")
    with pytest.raises(UsageError, match="child: expected a value for its input x"):
        refused(small(), {})
    with pytest.raises(UsageError, match="child: no such input: 'z'"):
        refused(small(), {"x": x, "z": x})
    with pytest.raises(UsageError, match=r"child\.x: expected f32, got i32"):
        refused(small(), {"x": b.i32(1)})


def test_kernels_with_different_float_modes() -> None:
    other = small()
    other.kernel.flush = KEEP if other.kernel.flush == FLUSH_32 else FLUSH_32
    with pytest.raises(UsageError, match="child: expected flush"):
        refused(other)


def test_a_slot_with_another_declaration_in_the_host() -> None:
    other = small()
    cb = Memory("cb1", Space.CONSTANT, 4, slot=slot(ResourceClass.CONSTANTS))
    other.kernel.memories.append(cb)
    with pytest.raises(
        UsageError, match=r"child\.cb1 has the binding of cb0, but a different declaration"
    ):
        refused(other)


def test_group_memory_and_vertices_are_rejected() -> None:
    other = small()
    other.kernel.memories.append(Memory("g0", Space.SHARED, 4, 4, writable=True))
    with pytest.raises(UnsupportedError, match="memory of its thread group"):
        refused(other)
    other = small()
    other.points.append(Points("v", 3, 16, PointsSlot(Direction.INPUT, Rate.VERTEX)))
    with pytest.raises(UnsupportedError, match="vertices"):
        refused(other)


@pytest.mark.slow
def test_deeply_nested_children() -> None:
    with pytest.raises(UnsupportedError, match="child0: its regions are nested too deeply"):
        nested(DEEPEST + 1)


@pytest.mark.slow
def test_children_that_multiply_at_every_level() -> None:
    with pytest.raises(UnsupportedError, match="more than 100 instructions"):
        nested(20, 2, 100)


def nested(levels: int, times: int = 1, allowed: int = MOST) -> Lowered:
    """Return nested kernels, each in the block of the previous."""
    inner = small()
    for _ in range(levels):
        b, (x,) = begun("x")
        calls = Calls(b)
        calls.allowed = allowed
        inliner = Inliner(Lowered(b.kernel), calls)
        with b.block() as block:
            for number in range(times):
                x = inliner.inline(f"child{number}", inner, {"x": x})["y"]
            give(b, "y", x)
            b.exit(block)
        inner = inliner.host
    return inner


def test_calls_of_another_kernel() -> None:
    with pytest.raises(UsageError, match="expected the calls of the host's kernel"):
        Inliner(small(), Calls(Builder(KernelIR())))
