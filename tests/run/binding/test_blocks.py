"""Blocks from dicts of their members."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from unshade.model import BufferKind, ConstantBuffer, TypeClass, TypeDescription, Variable
from unshade.run.binding.blocks import block_dtype, block_of

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
