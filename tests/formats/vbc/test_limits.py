"""Each limit of VSL's compiler: the last value that it allows, and the first that it does not.

Source: the constants of VSL's compiler and its type parser, c110b1b.
"""

from __future__ import annotations

from copy import copy
from functools import cache
from itertools import product
from typing import Any

import pytest

from tests.fixtures.vbc import made
from unshade.formats.vbc.records import (
    BaseType,
    BufferInfo,
    SlotBinding,
    StageVariable,
    SubpassForm,
    SubpassInput,
    TexelInfo,
    TexelRank,
    TexelType,
    UniformBlock,
    UniformMember,
    VbcFile,
)
from unshade.formats.vbc.verify import RULES
from unshade.formats.vbc.verify.limits import check_limits
from unshade.rule import Findings

IMAGES = [BaseType.SAMPLER, BaseType.IMAGE]
TEXELS = [BaseType.RO_TEXELS, BaseType.RW_TEXELS]
FLOAT, UNSIGNED = BaseType.FLOAT, BaseType.UNSIGNED
LIMITS = (
    "base-type", "dimensions", "element-size", "input", "name", "output", "slot", "stages",
    "subpass", "texel", "uniform",
)  # fmt: skip


@cache
def sound() -> VbcFile:
    """Return a record that breaks no limit."""
    return made().record


def limits_broken(**changed: object) -> set[str]:
    """Return the rules of limits that a record with these sections breaks."""
    record = copy(sound())
    for name, value in changed.items():
        setattr(record, name, value)
    found = Findings(RULES, None)
    check_limits(record, SubpassForm.DOCUMENTED, found)
    return {code.removeprefix("vbc.") for code in found.counts} & set(LIMITS)


def variable(location: int = 0, rows: int = 4, columns: int = 1, count: int = 1) -> StageVariable:
    return StageVariable(location=location, base=FLOAT, rows=rows, columns=columns, count=count)


@pytest.mark.parametrize(
    ("variables", "fine"),
    [
        ([variable(15)], True),
        ([variable(16)], False),
        ([variable(0, count=16)], True),
        ([variable(0, count=17)], False),
        ([variable(1, count=16)], False),
        ([variable(12, columns=4)], True),
        ([variable(13, columns=4)], False),
        ([variable(0, columns=2, count=2)], False),
        ([variable(0, columns=2), variable(2)], True),
        ([variable(0, columns=2), variable(1)], False),
        ([variable(0, count=2), variable(2)], True),
        ([variable(0, count=2), variable(1)], False),
        ([variable(1), variable(0)], True),
        ([variable(0, rows=3)], True),
    ],
)
def test_inputs(variables: list[StageVariable], fine: bool) -> None:
    assert limits_broken(inputs=variables) == (set() if fine else {"input"})


@pytest.mark.parametrize(
    ("variables", "fine"),
    [
        ([variable(7)], True),
        ([variable(8)], False),
        ([variable(0, rows=1)], True),
        ([variable(0, rows=2)], True),
        ([variable(0, rows=3)], False),
        ([variable(0, columns=2)], False),
        ([variable(0, count=2)], False),
        ([variable(0), variable(0)], False),
        ([variable(0), variable(1)], True),
    ],
)
def test_outputs(variables: list[StageVariable], fine: bool) -> None:
    assert limits_broken(outputs=variables) == (set() if fine else {"output"})


@pytest.mark.parametrize("base", list(BaseType))
def test_dimensions(base: BaseType) -> None:
    """Vectors of 1 to 4 components, and matrices of float of 2 to 4 rows and columns."""
    numeric = base in (BaseType.SIGNED, UNSIGNED, FLOAT)
    for rows, columns in product(range(6), repeat=2):
        given = StageVariable(location=0, base=base, rows=rows, columns=columns)
        fine = columns == 1 and 1 <= rows <= 4
        fine |= base is FLOAT and rows in (2, 3, 4) and columns in (2, 3, 4)
        broken = set() if fine else {"dimensions"}
        assert limits_broken(inputs=[given]) == (broken if numeric else {"base-type"})


def test_an_array_has_an_element() -> None:
    assert limits_broken(inputs=[variable(count=0)]) == {"dimensions"}


def member(offset: int = 0, **fields: Any) -> UniformMember:
    given: dict[str, Any] = {"name": "a", "offset": offset, "base": FLOAT, "rows": 4} | fields
    return UniformMember(**given)


@pytest.mark.parametrize(
    ("size", "members", "broken"),
    [
        (16, [member()], set()),
        (12, [member()], {"uniform"}),
        (1024, [member()], set()),
        (1028, [member()], {"uniform"}),
        (1022, [member()], {"uniform"}),
        (16, [], {"uniform"}),
        (1024, [member(count=64)], set()),
        (1024, [member(rows=1, count=65)], {"uniform"}),
        (32, [member(), member(16)], set()),
        (32, [member(16), member()], set()),  # in any order
        (32, [member(), member(12)], {"uniform"}),
        (36, [member(), member(18)], {"uniform"}),
        (36, [member(), member(20)], set()),
        (36, [member(), member(24)], {"uniform"}),
        (128, [member(columns=4), member(64, columns=4)], set()),
        (128, [member(columns=4), member(60, columns=4)], {"uniform"}),
        (16, [member(name="n" * 32)], set()),
        (16, [member(name="n" * 33)], {"name"}),
        (16, [member(name="_9")], set()),
        (16, [member(name="9_")], {"name"}),
        (16, [member(name="")], {"name"}),
        (16, [member(base=BaseType.SAMPLER)], {"base-type"}),
        (16, [member(base=BaseType.SIGNED)], set()),
        (64, [member(base=BaseType.SIGNED, columns=4)], {"dimensions"}),
    ],
)
def test_the_uniform_block(size: int, members: list[UniformMember], broken: set[str]) -> None:
    block = UniformBlock(size=size, stages=1, members=members)
    assert limits_broken(uniform=block) == broken


def binding(
    base: BaseType = BaseType.SAMPLER, data: TexelInfo | BufferInfo | None = None, **fields: int
) -> SlotBinding:
    data = data or TexelInfo(rank=TexelRank.D2, type=TexelType.FLOAT)
    given: dict[str, Any] = {"slot": 0, "base": base, "stages": 16, "data": data} | fields
    return SlotBinding(**given)


@pytest.mark.parametrize(
    ("bindings", "broken"),
    [
        ([binding(slot=31)], set()),
        ([binding(slot=32)], {"slot"}),
        ([binding(), binding(slot=1)], set()),
        ([binding(slot=3), binding(slot=3)], {"slot"}),
        ([binding(stages=1)], set()),
        ([binding(stages=17)], set()),
        ([binding(stages=2)], {"stages"}),
        ([binding(stages=32)], {"stages"}),
    ],
)
def test_slots_and_stages(bindings: list[SlotBinding], broken: set[str]) -> None:
    assert limits_broken(bindings=bindings) == broken


@pytest.mark.parametrize(
    ("size", "fine"),
    [(0, False), (2, False), (4, True), (6, False), (1024, True), (1028, False)],
)
@pytest.mark.parametrize("base", [BaseType.RO_BUFFER, BaseType.RW_BUFFER])
def test_elements_of_buffers(base: BaseType, size: int, fine: bool) -> None:
    found = limits_broken(bindings=[binding(base, BufferInfo(size=size))])
    assert found == (set() if fine else {"element-size"})


NORMALISED = (TexelType.UNORM, TexelType.SNORM)


@pytest.mark.parametrize("base", IMAGES + TEXELS)
@pytest.mark.parametrize("kind", list(TexelType))
def test_texels(base: BaseType, kind: TexelType) -> None:
    """4 bytes a component; 1 or 2 of normalised ones, which only what is written has."""
    rank = TexelRank.BUFFER if base in TEXELS else TexelRank.D2
    written = base in (BaseType.IMAGE, BaseType.RW_TEXELS)
    for size, count in product(range(6), repeat=2):
        texel = TexelInfo(rank=rank, type=kind, size=size, count=count)
        if kind in NORMALISED:
            fine = written and size in (1, 2) and count in (1, 2, 4)
        else:
            fine = size == 4 and count in ((1, 2, 4) if written else (4,))
        found = limits_broken(bindings=[binding(base, texel)])
        assert found == (set() if fine else {"texel"}), (size, count)


@pytest.mark.parametrize("rank", list(TexelRank))
@pytest.mark.parametrize("base", IMAGES + TEXELS)
def test_ranks(base: BaseType, rank: TexelRank) -> None:
    texel = TexelInfo(rank=rank, type=TexelType.FLOAT)
    fine = (base in TEXELS) == (rank is TexelRank.BUFFER)
    assert limits_broken(bindings=[binding(base, texel)]) == (set() if fine else {"texel"})


@pytest.mark.parametrize("count", [4, 5])
def test_subpasses(count: int) -> None:
    row = SubpassInput(type=TexelType.FLOAT)
    assert limits_broken(subpasses=[row] * count) == (set() if count == 4 else {"subpass"})


@pytest.mark.parametrize("kind", list(TexelType))
@pytest.mark.parametrize("count", [1, 4])
def test_types_of_subpasses(kind: TexelType, count: int) -> None:
    fine = kind not in NORMALISED and count == 4
    given = SubpassInput(type=kind, count=count)
    assert limits_broken(subpasses=[given]) == (set() if fine else {"subpass"})
