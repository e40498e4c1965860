"""Arrays of a lane at known places, which are variables in sources."""

from importlib.util import find_spec

import pytest

import unshade
from unshade.decompile.local_arrays import without_local_arrays
from unshade.ir.builder import Builder, constant
from unshade.ir.kernel import KernelIR
from unshade.ir.memory import Port, Space
from unshade.ir.ops import OPS
from unshade.ir.types import F32, I32

from .recompiled import outcome

COMPUTE = """
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 2
dcl_indexableTemp x0[3], 4
dcl_thread_group 4, 1, 1
mov x0[0].x, vThreadID.x
mov x0[1].xy, l(1.5, 2.5, 0, 0)
utof r0.x, vThreadID.x
{}
add r0.x, r0.x, x0[1].y
iadd r0.y, x0[0].x, x0[2].z
ishl r0.z, vThreadID.x, l(3)
store_raw u0.xy, r0.z, r0.xyxx
ret
"""


def compute(line: str = "") -> unshade.Shader:
    return unshade.assemble(COMPUTE.format(line), "dxcontainer")


def test_an_array_at_known_places_is_no_array() -> None:
    text = compute().decompile()
    assert "[3]" not in text
    assert "float(thread_id.x) + 2.5" in text  # and a word that is never written is 0


def test_an_array_with_an_index_stays() -> None:
    text = compute("mov x0[r0.x + 1].y, l(3)").decompile()
    assert "int4 x0[3];" in text


def test_words_of_both_types_are_the_same_bits() -> None:
    kernel = KernelIR()
    b = Builder(kernel)
    memory = b.memory("a", Space.LOCAL, 8, 2)
    b.store(memory, 1, 4, constant(0x3F800000, I32))
    number = b.load(memory, 1, 4, F32)
    port = Port("o", F32)
    kernel.outputs.append(port)
    b.output(port, number)
    without_local_arrays(kernel)
    assert not kernel.memories
    assert [each.name for each in kernel.variables] == ["a"]
    found = [each.op for each in kernel.values() if each.op is not OPS.const]
    assert found == [OPS.set, OPS.get, OPS.asfloat, OPS.output]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_variables_in_place_of_an_array_compute_the_same() -> None:
    for line in ("", "if_nz vThreadID.x\nmov x0[1].y, l(9.0)\nendif"):
        shader = compute(line)
        text = shader.decompile(style="exact")
        assert "x0[" not in text
        assert outcome(shader, text, "compute", seeds=2).startswith("equal")
