"""Compute shaders of two independent families have the same results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.families import dxil, expected, spirv
from tests.families.handmade import Family
from unshade.run.kernels import Kernel
from unshade.run.runner import Runner
from unshade.vocab.slots import ResourceClass, ResourceSlot

CHANCE = np.random.default_rng(5)
WORDS = CHANCE.integers(0, 1 << 32, 4096, "<u4")
FLOATS = CHANCE.random(4096, "f4")


def kernel(family: type[Family], text: str, engine: str = "lockstep", **options: Any) -> Kernel:
    """Return the kernel of a module that was read from its bytes."""
    shader = unshade.loads(family(text).to_bytes())
    assert type(shader) is family
    return unshade.kernel(shader, engine=engine, **options)


def given(kernel: Runner, size: int) -> dict[Any, Any]:
    """Return bindings by slot: words to read, and zeros to write."""
    found: dict[Any, Any] = {}
    for each in kernel.bindings:
        if each.form != "constants":
            kind = FLOATS if each.slot is not None and each.slot.number == 2 else WORDS
            found[each.slot] = np.zeros(size, "<u4") if each.writable else kind.copy()
    return found


def written(kernel: Runner, results: Any) -> Any:
    """Return the words of the only writable binding."""
    (binding,) = (each for each in kernel.bindings if each.writable)
    return results[binding.slot].view("<u4")


@pytest.mark.parametrize(
    ("family", "text"), [(spirv.SpirV, spirv.COLLATZ), (dxil.Dxil, dxil.COLLATZ)]
)
def test_nested_loops(family: type[Family], text: str, engine: str) -> None:
    found = kernel(family, text, engine)
    results = found.dispatch(4, given(found, 1024))
    assert np.array_equal(written(found, results), expected.collatz(WORDS[:256]))


@pytest.mark.parametrize("wave", [4, 16, 32, 64])
@pytest.mark.parametrize(
    ("family", "text"), [(spirv.SpirV, spirv.SUBGROUP), (dxil.Dxil, dxil.WAVES)]
)
def test_waves_of_any_size(family: type[Family], text: str, wave: int, engine: str) -> None:
    found = kernel(family, text, engine, wave_size=wave)
    results = found.dispatch(1, given(found, 256))
    assert np.array_equal(written(found, results), expected.subgroup(WORDS))


@pytest.mark.parametrize(
    ("chosen", "n", "s", "first", "group"),
    [
        ({}, 4, 1.5, True, 1),
        ({10: 64}, 4, 1.5, True, 64),
        ({0: 7, 1: -0.5, 2: False, 10: 8}, 7, -0.5, False, 8),
        ({"N": 2, "F": False}, 2, 1.5, False, 1),
    ],
)
def test_specialisation_and_push_constants(
    chosen: dict[Any, Any], n: int, s: float, first: bool, group: int, engine: str
) -> None:
    found = kernel(spirv.SpirV, spirv.CONSTANTS, engine, constants=chosen)
    assert found.group == (group, 1, 1)
    matrix = [[1, 3], [2, 4]]
    pushed = {"base": 9, "scale": 1.25, "off": [0.5, -0.75], "m": matrix}
    wanted = expected.constants(FLOATS, 4 * group, n, s, first, group)
    by_slot = {**given(found, len(wanted)), ResourceSlot(ResourceClass.PUSH, 0): pushed}
    assert np.array_equal(written(found, found.dispatch(4, by_slot)), wanted)
    by_name = found.dispatch(4, Out=np.zeros(len(wanted), "<u4"), InF=FLOATS, **pushed)
    assert np.array_equal(by_name["Out"], wanted)


def test_invalid_specialisation_constants_are_refused() -> None:
    for wrong in ({3: 1}, {"O": 1}, {"N": 1, 0: 2}, {0: 0.5}, {2: 2}, {1: "x"}):
        with pytest.raises(unshade.UsageError, match="constant"):
            kernel(spirv.SpirV, spirv.CONSTANTS, constants=wrong)
    with pytest.raises(unshade.UsageError, match="take no option constants"):
        kernel(dxil.Dxil, dxil.COLLATZ, constants={0: 1})


def test_a_constant_buffer_by_rows(engine: str) -> None:
    found = kernel(dxil.Dxil, dxil.CONSTANTS, engine)
    buffer = {"base": 9, "scale": 1.25, "off": [0.5, -0.75], "m": [[1, 2], [3, 4]]}
    results = found.dispatch(128, given(found, 512), PC=buffer)
    close = expected.constants(FLOATS, 128, 4, 1.5, True, 1).reshape(-1, 4)
    made = results["out"].reshape(-1, 4)
    assert np.array_equal(made[:, 1:3], close[:, 1:3])
    assert np.allclose(made[:, ::3].view("<f4"), close[:, ::3].view("<f4"), rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "text", "label", "line"),
    [
        (spirv.SpirV, spirv.COLLATZ, "InU", "%v = SpvOpLoad %uint %InU %g"),
        (dxil.Dxil, dxil.COLLATZ, "in", "%7 = call i32 @RawBufferLoad(t0, i32 %4)"),
    ],
)
def test_a_thread_is_traced(family: type[Family], text: str, label: str, line: str) -> None:
    debugger = kernel(family, text).debug((3, 0, 0))
    debugger.dispatch(1, given(debugger, 256))
    entries = [each for each in debugger.trace.entries if debugger.line(each.line) == line]
    (read,) = (each for each in entries[0].reads if (each.label or each.name).startswith(label))
    assert read.bits == int(WORDS[3])
    assert not debugger.findings
