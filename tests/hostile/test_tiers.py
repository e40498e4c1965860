"""Kernels for comparison: each has the code that it is named after."""

from __future__ import annotations

import numpy as np

import unshade
from tests.examples import EXAMPLES
from tests.hostile import tiers
from unshade.run.runner import Runner
from unshade.vm.jit import Jit

LANES = 4096


def saxpy() -> unshade.Shader:
    return unshade.open(EXAMPLES / "saxpy.dxbc")


def call(kernel: Runner) -> object:
    given = {name: np.ones(LANES, np.float32) for name in ("X", "Y")}
    return kernel.dispatch(LANES // 64, a=2.0, n=LANES, **given)


def codes(engine: Jit) -> set[bool]:
    """Return whether the codes of the newest kernel of an engine were made quickly."""
    *_, newest = engine.kernels.values()
    return {quick for _, _, quick in newest}


def test_code_that_is_optimised_at_once() -> None:
    kernel = tiers.optimised(unshade.kernel(saxpy(), engine="lockstep"))
    call(kernel)  # the engine has code as long as the kernel has
    assert codes(tiers._optimising()) == {False}


def test_a_call_that_is_continued_by_other_code() -> None:
    kernel = tiers.continued(unshade.kernel(saxpy(), engine="lockstep"))
    call(kernel)  # the engine has code as long as the kernel has
    assert codes(tiers._switching()) == {False, True}


def test_code_from_the_cache() -> None:
    text = saxpy().disassemble().replace("dcl_thread_group 64,", "dcl_thread_group 48,")
    shader = unshade.assemble(text, "dxcontainer")  # whose code no other test has made
    with tiers.stored(shader, {}, call) as kernel:
        assert kernel.program.stored is not None
        assert kernel.program.stored.declared is not None
        call(kernel)
        assert kernel.program._lowered is None
