"""Types of results, as LLVM 3.7's language reference specifies them."""

from unshade.programs.dxil.model import TypeTable
from unshade.programs.dxil.model.results import (
    address,
    comparison,
    exchange,
    part,
    scalar,
    shuffle,
)
from unshade.programs.dxil.model.types import StructType

TYPES = TypeTable()
I1, I32 = TYPES.integer(1), TYPES.integer(32)
FLOAT = TYPES.floating("float")
FLOATS, INTEGERS = TYPES.vector(4, FLOAT), TYPES.vector(3, I32)
PAIR = TYPES.literal([FLOAT, I32])


def test_a_comparison_of_vectors_is_a_vector_of_booleans() -> None:
    assert comparison(TYPES, FLOAT) is I1
    assert comparison(TYPES, FLOATS) is TYPES.vector(4, I1)


def test_an_exchange_returns_the_value_and_its_success() -> None:
    assert exchange(TYPES, I32) is TYPES.literal([I32, I1])


def test_a_shuffle_is_as_long_as_its_mask() -> None:
    assert shuffle(TYPES, FLOATS, INTEGERS) is TYPES.vector(3, FLOAT)
    assert shuffle(TYPES, FLOAT, INTEGERS) is None
    assert shuffle(TYPES, FLOATS, I32) is None


def test_an_address_keeps_the_address_space_and_is_a_vector_if_anything_is() -> None:
    pointer = TYPES.pointer(PAIR, 3)
    wanted = TYPES.pointer(FLOAT, 3)
    assert address(TYPES, FLOAT, pointer, [I32, I32]) is wanted
    assert address(TYPES, FLOAT, pointer, [I32, INTEGERS]) is TYPES.vector(3, wanted)
    assert address(TYPES, FLOAT, TYPES.vector(2, pointer), [I32]) is TYPES.vector(2, wanted)
    assert address(TYPES, FLOAT, I32, [I32]) is None


def test_parts() -> None:
    assert [part(PAIR, index) for index in (0, 1, 2, -1, None)] == [FLOAT, I32, None, None, None]
    assert part(TYPES.array(2, PAIR), None) is PAIR
    assert part(FLOATS, 9) is FLOAT
    assert part(FLOAT, 0) is None
    assert part(StructType("opaque", None), 0) is None


def test_the_scalar_of_a_vector_is_its_element() -> None:
    assert scalar(FLOATS) is FLOAT
    assert scalar(PAIR) is PAIR
