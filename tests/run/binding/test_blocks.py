"""Blocks from dicts of their members."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from unshade.errors import UsageError
from unshade.ir.lowered import Form, LoweredResource
from unshade.model import BufferKind, ConstantBuffer, TypeClass, TypeDescription, Variable
from unshade.run.binding.bindings import Binding
from unshade.run.binding.blocks import block_dtype, block_of
from unshade.run.binding.buffers import buffer_array

FLOAT4 = TypeDescription(type_class=TypeClass.VECTOR, scalar="float", columns=4, size=16)
UINTS = TypeDescription(
    type_class=TypeClass.SCALAR, scalar="uint", elements=[4], strides=[4], size=4
)
OPEN = TypeDescription(
    type_class=TypeClass.SCALAR, scalar="uint", elements=[0], strides=[4], size=4
)
MATRIX = TypeDescription(
    type_class=TypeClass.MATRIX_COLUMNS, scalar="float", rows=2, columns=2, size=16, matrix_stride=8
)


def one(type: TypeDescription) -> ConstantBuffer:
    member = Variable(name="a", offset=0, size=16, type=type)
    return ConstantBuffer(name="A", kind=BufferKind.ELEMENT, size=16, variables=[member])


@pytest.mark.parametrize(
    ("type", "value", "words"),
    [
        (FLOAT4, [1, 2, 3, 4], np.array([1, 2, 3, 4], np.float32)),
        (UINTS, [1, 2, 3, 4], np.array([1, 2, 3, 4], np.uint32)),
        (OPEN, [1, 2, 3, 4, 5], np.array([1, 2, 3, 4, 5], np.uint32)),
        (MATRIX, [[1, 2], [3, 4]], np.array([1, 3, 2, 4], np.float32)),
    ],
    ids=["vector", "array", "open", "matrix"],
)
def test_a_block_of_one_member_is_a_structure(
    type: TypeDescription, value: Any, words: np.ndarray[Any, Any]
) -> None:
    found = block_of(one(type), {"a": value}, "A")
    assert (found.shape, found.dtype.names) == ((), ("a",))
    assert found.tobytes() == words.tobytes()
    assert found["a"].ravel().tolist() == words.tolist()
    assert block_dtype(one(type), len(value) if type is OPEN else 0) == found.dtype


def bound(*types: TypeDescription) -> Binding:
    members = [
        Variable(name="ab"[at], offset=16 * at, size=16, type=type) for at, type in enumerate(types)
    ]
    buffer = ConstantBuffer(
        name="A", kind=BufferKind.ELEMENT, size=16 * len(types), variables=members
    )
    resource = LoweredResource("A", Form.RAW)
    return Binding("A", "", Form.RAW, True, block_dtype(buffer), "a dict", resource, buffer)


def test_plain_numbers_of_a_block_become_its_type() -> None:
    assert buffer_array(bound(FLOAT4), [1, 2, 3, 4])["a"].tolist() == [1, 2, 3, 4]
    found = buffer_array(bound(FLOAT4, FLOAT4), [*range(8)])
    assert found.dtype == np.float32
    assert found.tolist() == [*range(8)]


def test_plain_numbers_of_a_block_of_several_types_are_refused() -> None:
    with pytest.raises(UsageError, match="its numbers have several types"):
        buffer_array(bound(FLOAT4, UINTS), [*range(8)])
    words = np.arange(8, dtype=np.uint32)
    assert buffer_array(bound(FLOAT4, UINTS), words) is words
