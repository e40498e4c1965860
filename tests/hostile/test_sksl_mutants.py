"""Mutated SkSL programs: what can be written and lowered has the same result on both engines."""

import random

import numpy as np
import pytest

import unshade
from tests.hostile.sksl_mutants import changed_tree
from tests.programs.sksl.generate import generated
from unshade.errors import EncodeError, UnshadeError
from unshade.formats.sksl import SkslShader


def outcome(data: bytes, engine: str) -> bytes | str:
    """Return the bits of a few pixels, or the name of the error."""
    try:
        kernel = unshade.kernel(unshade.loads(data), engine=engine)
        kernel.budget = 1000
        given = {
            each.name: np.arange(each.resource.size, dtype=np.uint8).tobytes()
            for each in kernel.bindings
            if each.form == "constants"
        }
        return bytes(kernel.shade((4, 4), **given)["main"].tobytes())
    except UnshadeError as error:
        return type(error).__name__


@pytest.mark.parametrize("number", range(3))
def test_changed_trees(number: int) -> None:
    text = generated("shader", number).text
    original = unshade.assemble(text, "sksl", kind="runtime_shader").to_bytes()
    ran, different = 0, 0
    for seed in range(20):
        chance = random.Random(100 * number + seed)
        shader = unshade.loads(original)
        assert isinstance(shader, SkslShader)
        try:
            data = changed_tree(shader, chance)
        except EncodeError:
            continue
        different += data != original
        one, two = outcome(data, "lockstep"), outcome(data, "jit")
        assert one == two, seed
        ran += isinstance(one, bytes)
    assert ran > 4
    assert different > 10
