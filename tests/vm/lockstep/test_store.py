"""Accesses whose places repeat along axes of the groups: loaded once, for all lanes that share."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

from tests.vm.engines import parsed, run, same, words
from unshade.vm.lockstep import Lockstep

HEAD = """kernel main compute group 4 4 2
memory %in buffer STRIDE
memory %out buffer 4 writable
memory %shared shared STRIDE count 16 writable
memory %own local STRIDE count 4 writable
%i = source thread_id_in_group_flattened
%x = source thread_id_in_group.x
%y = source thread_id_in_group.y
%g = source thread_group_id.x
%g128 = imul %g, i32 128
%at = iadd %g128, %i
%at1 = iadd %at, i32 32
%at2 = iadd %at, i32 64
%at3 = iadd %at, i32 96
"""
BODY = """
%y4 = imul %y, i32 4
%from = iadd %y4, %g
%own_y = and %y, i32 3
%few = and %i, i32 15
%mine = imul %at, i32 77
store %shared[%few, i32 0], %mine
store %own[%own_y, i32 0], %i
barrier group.shared
%a = load:i32 %in[%from, i32 BYTE]
%b = load:i32 %shared[%x, i32 0]
%c = load:i32 %shared[%y4, i32 0]
%d = load:i32 %own[%own_y, i32 0]
store %out[%at, i32 0], %a
store %out[%at1, i32 0], %b
store %out[%at2, i32 0], %c
store %out[%at3, i32 0], %d
"""


def numbered(text: str) -> str:
    """Return a kernel whose results have numbers in place of names."""
    names = re.findall(r"^ *%(\w+) =", text, re.MULTILINE)
    number = {name: str(at) for at, name in enumerate(names)}
    return re.sub(r"%(\w+)", lambda found: "%" + number.get(found[1], found[1]), text)


@pytest.mark.parametrize(("stride", "byte"), [(4, 0), (8, 4), (6, 2), (12, 8)])
@pytest.mark.parametrize("elements", [16, 11])
def test_places_that_lanes_share(stride: int, byte: int, elements: int) -> None:
    """Aligned, misaligned and partly outside of the memory: as the interpreter and the jit."""
    text = (HEAD + BODY).replace("STRIDE", str(stride)).replace("BYTE", str(byte))
    given = bytes(n * 37 & 0xFF for n in range(stride * elements))
    left = same(numbered(text), {"in": given, "out": bytes(4 * 3 * 128)}, groups=(3, 1, 1))
    assert any(left["out"])


def test_places_are_those_of_each_loop_iteration() -> None:
    """A row of the group reads what another row has written before."""
    text = (HEAD + """
var @n i32
loop {
  %n = get @n
  %end = ule i32 3, %n
  if %end {
    break
  }
  %y4 = imul %y, i32 4
  %yn = iadd %y4, %n
  %from = and %yn, i32 15
  %v = load:i32 %in[%from, i32 0]
  %more = iadd %v, %n
  store %out[%at, i32 0], %more
  %n1 = iadd %n, i32 1
  set @n, %n1
}
""").replace("STRIDE", "4")  # fmt: skip
    head, _, rest = text.partition("%i = ")
    text = head + "var @n i32\n%i = " + rest.replace("var @n i32\n", "")
    same(numbered(text), {"in": words(*range(50, 66)), "out": bytes(4 * 2 * 128)}, groups=(2, 1, 1))


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts page faults")
def test_large_batches_keep_their_memory() -> None:
    """Arrays of a batch are not mapped anew: a run after others has few page faults."""
    import resource

    text = """kernel main compute group 64 1 1
memory %in buffer 4
memory %out buffer 4 writable
%i = source thread_id.x
%a = load:f32 %in[%i, i32 0]
%b = fmul %a, %a
%c = fadd %b, %a
%d = fcanonicalise %c
store %out[%i, i32 0], %d
"""
    kernel, lanes = parsed(numbered(text)), 1 << 20
    memories = {"in": np.ones(lanes, "f4").tobytes(), "out": bytes(4 * lanes)}
    for _ in range(2):
        run(Lockstep(), kernel, memories, (lanes // 64, 1, 1))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    run(Lockstep(), kernel, memories, (lanes // 64, 1, 1))
    found = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    assert found < 8 * lanes // 4096  # the copies that `run` makes have 5,000 pages at most
