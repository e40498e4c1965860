"""Programs bound as children: shaders, colour filters, and children of children."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.families import sksl
from tests.families.test_compute import kernel
from unshade.run import Sampler, Texture
from unshade.run.kernels import Kernel

SIZE = 4, 3
TINT = np.array([0.5, 0.25, 1.0, 2.0], "f4")
WHITE = np.array([1.0, 0.5, 2.0, 4.0], "f4")
SCALE = np.array([0.5, 2.0], "f4")


def ramp(x: Any, y: Any, step: float = 0.25) -> Any:
    """Return the colours of ramp.rts in halves."""
    by = (x * np.float32(step) + y).astype("f2")
    return by[..., np.newaxis] * TINT.astype("f2")


def places() -> tuple[Any, Any]:
    x, y = np.meshgrid(np.arange(SIZE[0]) + 0.5, np.arange(SIZE[1]) + 0.5)
    return x.astype("f4"), y.astype("f4")


def both() -> Any:
    """Return the colours of both.rts with ramp and invert as its children."""
    x, y = places()
    total = ramp(x * SCALE[0], y * SCALE[1]) + ramp(x, y)
    return (WHITE.astype("f2") - total).astype("f4")


def children(engine: str) -> tuple[Kernel, Kernel, Kernel]:
    whole, shader, tone = (
        kernel(sksl.SkSL, text, engine) for text in (sksl.BOTH, sksl.RAMP, sksl.INVERT)
    )
    return whole, shader, tone


def test_programs_as_children(engine: str) -> None:
    whole, shader, tone = children(engine)
    found = whole.shade(
        SIZE, src=shader.bind(tint=TINT, step=0.25), tone=tone.bind(white=WHITE), scale=SCALE
    )
    assert np.array_equal(found["color"], both())
    slots = {sksl.CHILD: shader.bind({"tint": TINT}, step=0.5), sksl.FILTER: tone.bind(white=WHITE)}
    other = whole.shade(SIZE, None, slots, scale=SCALE)
    assert not np.array_equal(other["color"], both())


def test_children_of_children(engine: str) -> None:
    whole, shader, tone = children(engine)
    grey = kernel(sksl.SkSL, sksl.GREY, engine)
    turned: dict[str, Any] = {"tint": [1, 1, 1, 1], "turn": np.eye(2), "gain": 0.0}
    through = grey.bind(turned, src=shader.bind(tint=TINT, step=0.25))
    found = whole.shade(SIZE, src=through, tone=tone.bind(white=WHITE), scale=SCALE)
    assert np.array_equal(found["color"], both())


def test_replacing_a_child_between_calls(engine: str) -> None:
    """Code prepared for one child is not reused for another."""
    whole, shader, tone = children(engine)
    picture = Texture(np.ones((2, 2, 4), "f4"), sampler=Sampler("point"))
    more: dict[str, Any] = {"tone": tone.bind(white=WHITE), "scale": SCALE}
    bound = shader.bind(tint=TINT, step=0.25)
    first = whole.shade(SIZE, src=bound, **more)["color"]
    flat = whole.shade(SIZE, src=picture, **more)["color"]
    again = whole.shade(SIZE, src=bound, **more)["color"]
    assert np.array_equal(flat, np.broadcast_to(WHITE - 2, flat.shape))
    assert np.array_equal(first, again)
    tones = kernel(sksl.SkSL, sksl.INVERT, engine)
    assert np.array_equal(
        whole.shade(SIZE, src=bound, tone=tones.bind(white=WHITE), scale=SCALE)["color"], first
    )


def test_a_child_is_traced() -> None:
    whole, shader, tone = children("lockstep")
    debugger = whole.debug((1, 2))
    debugger.shade(
        SIZE, src=shader.bind(tint=TINT, step=0.25), tone=tone.bind(white=WHITE), scale=SCALE
    )
    lines = {debugger.line(each.line) for each in debugger.trace.entries}
    assert {"half4 d = src.eval(p);", "return white - color;"} <= lines


def test_unsuitable_children_are_refused() -> None:
    whole, shader, tone = children("lockstep")
    bound = shader.bind(tint=TINT, step=0.25)
    with pytest.raises(unshade.UsageError, match=r"src: expected a program of 2 inputs and 4"):
        whole.shade(SIZE, src=tone.bind(white=WHITE), tone=bound, scale=SCALE)
    with pytest.raises(unshade.UsageError, match=r"tone.*expected a kernel, got "):
        whole.shade(SIZE, src=bound, tone=np.ones((2, 2, 4), "f4"), scale=SCALE)
    with pytest.raises(unshade.UsageError, match=r"child src: .*step missing"):
        whole.shade(SIZE, src=shader.bind(tint=TINT), tone=tone.bind(white=WHITE), scale=SCALE)
    with pytest.raises(unshade.UsageError, match=r"child src: .* is not bound: expected a dict of"):
        whole.shade(SIZE, src=shader, tone=tone.bind(white=WHITE), scale=SCALE)
    with pytest.raises(unshade.UsageError, match="is given twice"):
        shader.bind({"tint": TINT}, tint=TINT)
