"""Operands of conversions, as LLVM 3.7's language reference restricts them: all pairs of types."""

from itertools import product
from typing import Any

import pytest

from unshade.programs.dxil.model import TypeTable
from unshade.programs.dxil.model.constants import UndefinedValue
from unshade.programs.dxil.model.instructions import CastInst
from unshade.programs.dxil.model.types import DxilType
from unshade.programs.dxil.tables.llvm_enumerations import CASTS

TYPES = TypeTable()
ELEMENTS = {
    **{(f"i{width}", width): TYPES.integer(width) for width in (1, 8, 16, 32, 64)},
    **{
        (f"f{width}", width): TYPES.floating(name)
        for name, width in (("half", 16), ("float", 32), ("double", 64))
    },
    ("p", 0): TYPES.pointer(TYPES.integer(32)),
}
# Kind, bits and number of elements: 0 for what is no vector.
KNOWN: dict[tuple[str, int, int], DxilType] = {
    **{(name[0], bits, 0): type for (name, bits), type in ELEMENTS.items()},
    **{
        (name[0], bits, count): TYPES.vector(count, type)
        for (name, bits), type in ELEMENTS.items()
        for count in (1, 2, 4)
    },
}


def allowed(cast: str, source: tuple[str, int, int], target: tuple[str, int, int]) -> bool:
    """Return what the reference says about a conversion."""
    (kind, bits, count), (other, wider, as_many) = source, target
    if cast == "bitcast":
        if "p" in (kind, other):
            return kind == other and count == as_many
        return bits * max(count, 1) == wider * max(as_many, 1)
    if count != as_many:
        return False
    match cast:
        case "trunc":
            return kind == other == "i" and bits > wider
        case "zext" | "sext":
            return kind == other == "i" and bits < wider
        case "fptrunc":
            return kind == other == "f" and bits > wider
        case "fpext":
            return kind == other == "f" and bits < wider
        case "fptoui" | "fptosi":
            return (kind, other) == ("f", "i")
        case "uitofp" | "sitofp":
            return (kind, other) == ("i", "f")
        case "ptrtoint":
            return (kind, other) == ("p", "i")
        case "inttoptr":
            return (kind, other) == ("i", "p")
        case _:
            return kind == other == "p"


def problems(operation: int, source: DxilType, target: DxilType) -> list[str]:
    function: Any = None  # conversions do not depend on it
    return [
        *CastInst(type=target, operation=operation, value=UndefinedValue(source)).problems(function)
    ]


@pytest.mark.fast
@pytest.mark.parametrize(("operation", "cast"), CASTS.items())
def test_conversions_of_all_types(operation: int, cast: str) -> None:
    wrong = [
        (source, target)
        for source, target in product(KNOWN, KNOWN)
        if allowed(cast, source, target) is bool(problems(operation, KNOWN[source], KNOWN[target]))
    ]
    assert not wrong


@pytest.mark.parametrize("cast", CASTS.values())
def test_what_is_no_number_is_not_converted(cast: str) -> None:
    operation = next(number for number, name in CASTS.items() if name == cast)
    array = TYPES.array(4, TYPES.integer(8))
    for source, target in ((array, TYPES.integer(32)), (TYPES.integer(32), array), (array, array)):
        (message,) = problems(operation, source, target)
        assert message.endswith(f"got {source!s:.40} and {target!s:.40}")
