"""Analyses of random kernels, checked against lanes that run in lockstep."""

import pytest

from tests.ir.generate import Program, generate
from tests.ir.lockstep import lockstep
from tests.oracle.interpret import interpret
from unshade.ir.analysis.liveness import liveness
from unshade.ir.analysis.ranges import ValueRange
from unshade.ir.analysis.uniformity import UNIFORM, Uniformity, VectorShape, linear, uniformity
from unshade.ir.kernel import Value

pytestmark = pytest.mark.slow

SEEDS = range(150)


def of_group(program: Program) -> tuple[dict[str, VectorShape], int]:
    """Return the shapes of the sources if all lanes of a group (or quad) run together."""
    x, y, z = program.kernel.group
    found = {f"group_{word}.{axis}": UNIFORM for word in ("id", "count") for axis in "xyz"}
    if program.kernel.stage == "compute":
        size = x * y * z
        if not program.kernel.quads:
            found["thread_id_in_group_flattened"] = linear(1, 1 << 32)
        if y == z == 1:
            found["thread_id_in_group.x"] = linear(1, 1 << 32)
            found["thread_id.x"] = linear(1, size & -size)
        found["item"] = linear(1, size & -size)
        return found, size
    wave = program.kernel.wave
    return {"item": linear(1, wave)}, wave


def results(program: Program, masked: set[Value] | None) -> tuple[object, ...]:
    memories = program.memories()
    found = lockstep(program.kernel, program, memories, masked)
    return memories, found.outputs, found.discarded


@pytest.mark.parametrize("first", range(0, len(SEEDS), 30))
def test_lockstep_equals_one_lane_at_a_time(first: int) -> None:
    for seed in SEEDS[first : first + 30]:
        program = generate(seed)
        memories = program.memories()
        alone = interpret(
            program.kernel,
            memories,
            groups=program.groups,
            items=program.items,
            inputs=program.inputs,
            helpers=program.helpers,
        )
        assert (memories, alone.outputs, alone.discarded) == results(program, None), seed


@pytest.mark.parametrize("first", range(0, len(SEEDS), 30))
def test_unmasked_sets_do_not_affect_other_lanes(first: int) -> None:
    for seed in SEEDS[first : first + 30]:
        program = generate(seed)
        everything = liveness(program.kernel)
        sources, lanes = of_group(program)
        known = uniformity(program.kernel, sources, lanes=lanes)
        assert known.liveness.masked <= everything.masked
        expected = results(program, None)
        for masked in (everything.masked, known.liveness.masked):
            assert results(program, masked) == expected, seed


@pytest.mark.parametrize("first", range(0, len(SEEDS), 30))
def test_values_match_their_shapes_and_ranges(first: int) -> None:
    for seed in SEEDS[first : first + 30]:
        program = generate(seed)
        sources, lanes = of_group(program)
        found = uniformity(program.kernel, sources, lanes=lanes)

        def watch(
            value: Value,
            made: dict[int, int],
            found: Uniformity = found,
            seed: int = seed,
            lanes: int = lanes,
        ) -> None:
            shape = found.of(value)
            holds(shape, value, made, lanes, seed)
            if value.op.name == "get":
                assert found.variables[value.attr].stride in (shape.stride, None)
            if value.type.kind in "bi":
                between: ValueRange = found.ranges[value]
                for bits in made.values():
                    assert between.low <= bits <= between.high, (seed, value, between)
                    assert bits % between.step == 0, (seed, value, between)

        lockstep(program.kernel, program, program.memories(), None, watch)


def holds(shape: VectorShape, value: Value, made: dict[int, int], lanes: int, seed: int) -> None:
    if shape.stride is None or not made:
        return
    mask = (1 << shape.bits) - 1 if shape.bits else value.type.mask
    assert all(bits <= mask for bits in made.values()), (seed, value, shape, made)
    bases = {bits - shape.stride * (lane % lanes) & mask for lane, bits in made.items()}
    assert len(bases) == 1, (seed, value, shape, made)
    assert bases.pop() % min(shape.align, mask + 1) == 0, (seed, value, shape, made)
