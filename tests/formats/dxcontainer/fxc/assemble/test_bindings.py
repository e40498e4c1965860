"""Parsing the table Resource Bindings."""

from __future__ import annotations

import pytest

from tests.formats.dxcontainer.fxc.assemble.reading import commented, mistakes_in, read
from tests.formats.dxcontainer.fxc.listing.records import resources
from unshade.formats.dxcontainer.fxc.listing import bindings
from unshade.formats.dxcontainer.fxc.listing.generation import GENERATIONS
from unshade.formats.dxcontainer.fxc.listing.names import RESOURCES
from unshade.formats.dxcontainer.parts.rdef import RdefBinding
from unshade.vocab.d3d import InputType, ResourceReturnType, ShaderKind, SrvDimension

NOT_APPLICABLE = 0xFFFFFFFF
PIXEL = ShaderKind.PIXEL


def bound(
    name: str = "t",
    kind: int = InputType.TEXTURE,
    returns: int = ResourceReturnType.FLOAT,
    dimension: int = SrvDimension.TEXTURE2D,
    samples: int = NOT_APPLICABLE,
    at: int = 0,
    count: int = 1,
    flags: int = 12,
    space: int = 0,
    id: int = 0,
) -> RdefBinding:
    return RdefBinding(
        name=name,
        kind=kind,
        return_type=returns,
        dimension=dimension,
        sample_count=samples,
        bind_point=at,
        bind_count=count,
        flags=flags,
        space=space,
        id=id,
    )


def plain(kind: int, register: int = 0) -> RdefBinding:
    """Return a binding of a kind as the table describes it without a format."""
    resource = RESOURCES[kind]
    if resource.format is None:
        return bound(f"kind_{kind}", kind, at=register)
    mixed = resource.format in ("struct", "byte")
    returns = ResourceReturnType.MIXED if mixed else 0
    shape = SrvDimension.BUFFER if mixed else 0
    return bound(f"kind_{kind}", kind, returns, shape, 0, at=register, flags=0)


ROWS = [
    *[plain(kind, at) for at, kind in enumerate(RESOURCES)],
    bound("cmp", InputType.SAMPLER, 0, 0, 0, flags=2),
    bound("tex4[1]", at=127),
    bound("one", returns=ResourceReturnType.UINT, flags=0),
    bound("two", InputType.UAV_RWTYPED, ResourceReturnType.UNORM, SrvDimension.BUFFER, flags=4),
    bound("ms", dimension=SrvDimension.TEXTURE2DMS, samples=0),
    bound("ms4", dimension=SrvDimension.TEXTURE2DMSARRAY, samples=4),
    bound("a_name_that_is_longer_than_its_column", dimension=SrvDimension.TEXTURECUBEARRAY),
    bound("mixed", returns=ResourceReturnType.MIXED, flags=0),
    bound("continued", returns=ResourceReturnType.CONTINUED, flags=0),
]


@pytest.mark.parametrize("generation", GENERATIONS)
def test_printed_tables_are_parsed(generation: str) -> None:
    lines = bindings.lines(resources(bindings=ROWS), GENERATIONS[generation])
    found = read("\n".join(lines))
    assert found.bindings == ROWS
    assert found.slotted == (generation != "10.1")


def test_spaces_and_numbers() -> None:
    rows = [
        bound("a", id=0, space=2, at=3, count=0),
        bound("b", id=7, count=5),
        bound("c", InputType.CBUFFER, 0, 0, 0, 3, 0xFFFFFFFF, 0, 3, 2),
        bound("s", InputType.SAMPLER, 0, 0, 0, 0xFFFFFFFF, 1, 2, 0xFFFFFFFF, 1),
    ]
    lines = bindings.lines(resources(bindings=rows, minor=1), GENERATIONS["10.1"])
    assert read("\n".join(lines), model=(5, 1)).bindings == rows


def test_missing_numbers() -> None:
    rows = [bound("a", at=4), bound("s", InputType.SAMPLER, 0, 0, 0, flags=0), bound("b", at=2)]
    lines = bindings.lines(resources(bindings=rows), GENERATIONS["9.30"])
    found = read("\n".join(lines), model=(5, 1)).bindings
    assert found is not None
    assert [each.id for each in found] == [0, 0, 1]


def test_stride_comes_from_the_buffer_definitions() -> None:
    found = read(
        commented("""
Buffer Definitions:

Resource bind info for data
{

  float3 $Element;                   // Offset:    0 Size:    12

}

Resource Bindings:

Name                                 Type  Format         Dim      HLSL Bind  Count
------------------------------ ---------- ------- ----------- -------------- ------
data                              texture  struct         r/o             t0      1
other                                 UAV  struct         r/w             u0      1
""")
    )
    assert found.bindings is not None
    assert [each.sample_count for each in found.bindings] == [12, 0]


HEADS = """
Resource Bindings:

Name                                 Type  Format         Dim      HLSL Bind  Count
------------------------------ ---------- ------- ----------- -------------- ------
"""
RANGED = HEADS.replace("  HLSL", " ID  HLSL")


@pytest.mark.parametrize(
    ("line", "column", "problem"),
    [
        ("t textur float4 2d t0 1", 6, "unknown type of resources 'textur'; did you mean texture?"),
        ("t texture flaot4 2d t0 1", 14, "unknown format 'flaot'; did you mean float?"),
        ("t texture float5 2d t0 1", 14, "expected a format such as float4, got 'float5'"),
        ("t texture float4 2D t0 1", 21, "unknown dimension '2D'"),
        ("t texture float4 2d4 t0 1", 21, "unknown dimension '2d4'"),
        ("t texture float4", 20, "expected a dimension such as 2d, got the end of the line"),
        ("t cbuffer float4 NA cb0 1", 14, "expected NA NA after cbuffer, got 'float4'"),
        ("t sampler NA NA t0 1", 20, "expected a register such as s0, got 't0'"),
        ("t texture float4 2d t 1", 24, "expected a register such as t0, got 't'"),
        ("t texture float4 2d tx 1", 24, "expected a register such as t0, got 'tx'"),
        ("t texture float4 2d t0 1 1", 29, "expected the end of the line, got '1'"),
        ("t texture float4 2d t0 unbounded", 27, "a number of registers, got 'unbounded'"),
    ],
)
def test_mistakes(line: str, column: int, problem: str) -> None:
    (found,) = mistakes_in(commented(HEADS + line))
    assert found[:2] == (5, column), found
    assert problem in found[2]


def test_numbers_belong_to_model_5_1() -> None:
    text = commented(RANGED + "t texture float4 2d T0 t0,spac 1")
    assert "expected a space such as space0, got 'spac'" in mistakes_in(text, model=(5, 1))[0][2]
    assert "the titles of the table's columns" in mistakes_in(text, model=(5, 0))[0][2]
    text = commented(RANGED + "t texture float4 2d U0 t0 1")
    assert "expected an ID such as T0, got 'U0'" in mistakes_in(text, model=(5, 1))[0][2]
