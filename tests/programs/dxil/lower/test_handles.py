"""Handles of registers and of descriptors in heaps, which an index selects at run time."""

from typing import Any

import numpy as np
import pytest

from tests.kernels import kernel_of
from unshade.errors import UnsupportedError, UsageError
from unshade.programs.dxil import Code
from unshade.run import engines

from .support import ENGINES, compute, load, lowered, store
from .test_textures import RAW, results, texture_code

HANDLE = "%dx.types.Handle"
PROPERTIES = """%dx.types.ResourceProperties = type { i32, i32 }
%dx.types.CBufRet.i32 = type { i32, i32, i32, i32 }
"""
CONSTANTS, BYTES, WRITTEN = "i32 13, i32 16", "i32 11, i32 0", "i32 4107, i32 0"
RANGE = f'!{{i32 0, %struct.View* undef, !"view", i32 0, i32 0, i32 4, i32 {RAW}, i32 0, null}}'


EMPTY = {"t0": [0], "u1": [0]}


def word(name: str, handle: str, byte: int | str = 0) -> str:
    """Return the text of a load from a raw buffer."""
    return f"""
  %{name}.r = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, {HANDLE} %{handle}, \
i32 {byte}, i32 undef, i8 1, i32 4)
  %{name} = extractvalue %dx.types.ResRet.i32 %{name}.r, 0"""


def descriptor(name: str, index: int | str, properties: str) -> str:
    """Return the text that makes the handle of a descriptor."""
    return f"""
  %{name}.h = call {HANDLE} @dx.op.createHandleFromHeap(i32 218, i32 {index}, i1 false, i1 false)
  %{name} = call {HANDLE} @dx.op.annotateHandle(i32 216, {HANDLE} %{name}.h, \
%dx.types.ResourceProperties {{ {properties} }})"""


def dispatched(code: Code, options: dict[str, Any], **bound: Any) -> dict[str, Any]:
    """Return the words of the buffers that a shader writes, the same on both engines."""
    found = []
    for engine in ENGINES:
        kernel = kernel_of(lowered(code, **options), None, engines.choose(engine, False))
        given = {key: np.array(value, "<u4") for key, value in {**EMPTY, **bound}.items()}
        made = kernel.dispatch(1, **given)
        found.append({key: made[key].view("<u4").tolist() for key in made})
    assert found[0] == found[1]
    return found[0]


def test_an_index_into_a_range_of_which_one_register_is_used_before() -> None:
    """Registers have their order in a range, not that in which a program uses them."""
    body = f"""
  %two = call {HANDLE} @dx.op.createHandle(i32 57, i8 0, i32 0, i32 2, i1 false)
  %any = call {HANDLE} @dx.op.createHandle(i32 57, i8 0, i32 0, i32 %lane, i1 true)
{word("x", "two")}{word("y", "any")}
  %tens = mul i32 %x, 10
  %sum = add i32 %tens, %y
  %at = shl i32 %lane, 2{store("%sum")}"""
    given = {f"t{at}": np.array([at + 1], "<u4") for at in range(4)}
    for found in results(texture_code(body, RANGE, reads=True), **given):
        assert found["u1"].view("<u4")[:4].tolist() == [31, 32, 33, 34]


def test_an_index_into_a_heap_of_which_one_descriptor_is_used_before() -> None:
    body = f"""{descriptor("two", 2, BYTES)}{descriptor("any", "%lane", BYTES)}
{word("x", "two")}{word("y", "any")}
  %tens = mul i32 %x, 10
  %sum = add i32 %tens, %y{store("%sum")}"""
    code = compute(body, threads=4, before=PROPERTIES)
    given = {f"heap{at}": [at + 1] for at in range(4)}
    found = dispatched(code, {"lengths": {"heap0": 4}}, u1=[0] * 4, **given)
    assert found["u1"] == [31, 32, 33, 34]


KINDS = f"""{load("n", 0)}
  %m = add i32 %n, 1{descriptor("block", "%n", CONSTANTS)}{descriptor("buffer", "%m", BYTES)}
  %row = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, {HANDLE} %block, i32 0)
  %x = extractvalue %dx.types.CBufRet.i32 %row, 1{word("y", "buffer", "%at")}
  %sum = add i32 %x, %y{store("%sum")}"""


def test_an_index_into_a_heap_for_several_kinds_of_resources() -> None:
    """A descriptor is bound as what it is; as another kind it reads as 0."""
    code = compute(KINDS, threads=2, before=PROPERTIES)
    options = {"lengths": {"heap0": 2}}
    names = [each.name for each in lowered(code, **options).resources]
    assert names == ["heap0", "heap0_raw", "heap1", "heap1_raw", "t0", "u1"]
    bound = {"heap0": [5, 6, 7, 8], "heap1_raw": [100, 200], "u1": [0, 0]}
    assert dispatched(code, options, t0=[0], **bound)["u1"] == [106, 206]
    assert dispatched(code, options, t0=[1], **bound)["u1"] == [0, 0]


def test_a_descriptor_of_several_kinds_must_be_bound() -> None:
    code = compute(KINDS, before=PROPERTIES)
    kernel = kernel_of(lowered(code, lengths={"heap0": 2}), None, engines.choose("lockstep", False))
    words = np.zeros(4, "<u4")
    with pytest.raises(UsageError, match="heap1 is not bound"):
        kernel.dispatch(1, heap0=words, t0=words, u1=words)


def test_the_length_of_a_heap_must_be_given() -> None:
    with pytest.raises(
        UnsupportedError, match="in heap0, which is indexed, got an unbounded array: use --length"
    ):
        lowered(compute(KINDS, before=PROPERTIES))


def test_atomics_of_64_bits_on_a_buffer_of_a_heap() -> None:
    body = f"""{descriptor("buffer", 3, WRITTEN)}
  %old = call i64 @dx.op.atomicBinOp.i64(i32 78, {HANDLE} %buffer, i32 0, i32 8, i32 undef, \
i32 undef, i64 4294967301)"""
    code = compute(body, threads=2, before=PROPERTIES)
    assert dispatched(code, {}, heap3=[0] * 4)["heap3"] == [0, 0, 10, 2]


def test_a_register_of_two_ranges_is_refused() -> None:
    view = (
        '!{i32 0, %struct.View* undef, !"view", i32 0, i32 0, i32 4, '
        f"i32 {RAW}, i1 false, i1 false, i1 false, null}}"
    )
    body = f"""
  %other = call {HANDLE} @dx.op.createHandle(i32 57, i8 1, i32 0, i32 INDEX, i1 false)
{word("x", "other")}
  %at = shl i32 %lane, 2{store("%x")}"""
    lowered(texture_code(body.replace("INDEX", "2"), view))
    message = "u1 is in the ranges of out and view: expected ranges without a register in common"
    with pytest.raises(UnsupportedError, match=message):
        lowered(texture_code(body.replace("INDEX", "1"), view))
