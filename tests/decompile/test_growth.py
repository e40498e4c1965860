"""Work of decompilation: four times the statements take at most five times the calls."""

import sys
from collections import Counter
from types import CodeType, FrameType
from typing import Any

import pytest

import unshade
from unshade.decompile.source import TARGETS

from .recompiled import translated_outcome

MOST = 5.0
MOST_OF_FUNCTION = 9.0  # n² calls of a small function would not show in the whole
CONSTANT = 500  # calls that do not depend on the number of statements
HEAD = "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 3\n"
BRANCH = (
    "ieq r0.x, v0.x, l({0})\nif_nz r0.x\nadd r1.x, r1.x, l({0}.0)\nmov r2.x, r1.x\nelse\n"
    "mul r2.x, r1.x, l(2.0)\nendif\nadd r1.x, r1.x, r2.x\n"
)
FLAG = (
    "loop\nieq r0.x, r1.x, l({0})\nbreakc_nz r0.x\niadd r1.x, r1.x, l(1)\nilt r0.y, r1.x, v0.x\n"
    "if_nz r0.y\nmov r2.x, l(1)\nbreak\nendif\nendloop\n"
)
COPY = "imul null, r0.x, r1.x, v0.x\nmov r1.x, r0.x\niadd r2.x, r0.x, r2.x\n"


def calls(code: str, count: int, to: str) -> Counter[CodeType]:
    """Return how often each function is called for a program of so many statements."""
    text = HEAD + "".join(code.format(each) for each in range(count))
    shader = unshade.assemble(f"{text}mov o0.xyzw, r2.xxxx\nret\n", "dxcontainer")
    shader.programs[0].lower("main")
    found = Counter[CodeType]()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            found[frame.f_code] += 1

    sys.setprofile(note)
    try:
        shader.decompile(to)
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("code", [BRANCH, FLAG, COPY])
def test_calls_grow_with_the_statements(code: str, to: str) -> None:
    calls(code, 2, to)  # what is made once
    few, many = calls(code, 30, to), calls(code, 120, to)
    assert many.total() < MOST * few.total()
    assert not {
        each.co_qualname: count / max(1, few[each])
        for each, count in many.items()
        if count > MOST_OF_FUNCTION * few[each] + CONSTANT
    }


def test_a_proof_fills_no_buffer_of_gigabytes() -> None:
    text = """ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1610470037], dynamicIndexed
dcl_input_ps constant v0.xyzw
dcl_output o0.xyzw
dcl_temps 1
mov o0.xyzw, cb0[v0.x + 0].xyzw
ret
"""
    shader = unshade.assemble(text, "dxcontainer")
    ended = translated_outcome(shader, shader, engines=("lockstep",))
    assert ended.startswith("not run: ")
    assert "bytes in a proof" in ended
