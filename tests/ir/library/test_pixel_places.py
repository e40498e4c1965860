"""Places inside a pixel: which inputs they need: inputs declared once, and offsets of four bits."""

from __future__ import annotations

import pytest

from tests.vm.engines import ENGINES, run
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.library.pixel_places import centroid, snapped
from unshade.ir.memory import Port
from unshade.ir.ops import OPS
from unshade.ir.types import F32, I32
from unshade.vocab.words import Stage


def test_inputs_of_a_place_are_declared_once() -> None:
    b = Builder(KernelIR(stage=Stage.PIXEL))
    first, second = centroid(b), centroid(b)
    assert [each.name for each in b.kernel.inputs] == ["centroid.x", "centroid.y"]
    assert [each.attr for each in first] == [each.attr for each in second] == b.kernel.inputs
    assert [each.op for each in b.kernel.values()] == [OPS.input] * 4


def test_an_input_that_is_declared_keeps_its_type() -> None:
    b = Builder(KernelIR(stage=Stage.PIXEL))
    centroid(b)
    x, y = b.kernel.inputs
    b.kernel.inputs[:] = [Port("given", I32, slot=x.slot), y]
    made, _ = centroid(b)
    assert [each.name for each in b.kernel.inputs] == ["given", "centroid.y"]
    assert (made.op, made.type) == (OPS.asfloat, F32)
    assert made.args[0].attr.name == "given"


@pytest.mark.parametrize("engine", ENGINES[:2], ids=["lockstep", "jit"])
def test_offsets_have_four_bits(engine: object) -> None:
    """From -8 to 7 sixteenths of a pixel; the other bits do not count."""
    b = Builder(KernelIR(stage=Stage.PIXEL))
    item = b.source("item")
    out = Port("o0", I32)
    b.kernel.outputs.append(out)
    b.output(out, b.ftoi(b.fmul(snapped(b, b.isub(item, 16)), 256.0), type=I32))
    _, found, _ = run(engine, b.kernel, {}, items=40)
    signed = [each - (1 << 32 if each >> 31 else 0) for each in found["o0"]]
    assert signed == [16 * ((at - 16 + 8) % 16 - 8) for at in range(40)]
