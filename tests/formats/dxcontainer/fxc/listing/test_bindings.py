"""Printing the table Resource Bindings."""

from __future__ import annotations

import pytest

from tests.formats.dxcontainer.fxc.listing.records import resources
from unshade.formats.dxcontainer.fxc.listing import bindings
from unshade.formats.dxcontainer.fxc.listing.generation import GENERATIONS
from unshade.formats.dxcontainer.parts.rdef import RdefBinding
from unshade.vocab.d3d import InputType, ResourceReturnType, SrvDimension

NONE = 0xFFFFFFFF


def binding(
    kind: InputType = InputType.TEXTURE,
    return_type: ResourceReturnType = ResourceReturnType.FLOAT,
    dimension: SrvDimension = SrvDimension.TEXTURE2D,
    flags: int = 12,
    samples: int = NONE,
    point: int = 0,
    count: int = 1,
    space: int = 0,
    number: int = 0,
) -> RdefBinding:
    return RdefBinding(
        name="name",
        kind=kind,
        return_type=return_type,
        dimension=dimension,
        sample_count=samples,
        bind_point=point,
        bind_count=count,
        flags=flags,
        space=space,
        id=number,
    )


def row(each: RdefBinding, minor: int = 0, generation: str = "10.1") -> str:
    found = bindings.lines(resources(bindings=[each], minor=minor), GENERATIONS[generation])
    assert found[:2] == ["// Resource Bindings:", "//"]
    assert len(found[2]) in (len(found[3]), len(found[3]) - 1)
    assert found[5:] == ["//", "//"]
    return found[4]


@pytest.mark.parametrize(
    ("each", "words"),
    [
        (binding(), "texture float4 2d t0"),
        (binding(flags=1), "texture float 2d t0"),
        (binding(return_type=ResourceReturnType.UNORM, flags=8), "texture unorm3 2d t0"),
        (binding(dimension=SrvDimension.TEXTURE2DMS, samples=8), "texture float4 2dMS8 t0"),
        (binding(dimension=SrvDimension.TEXTURE2DMS, samples=0), "texture float4 2dMS t0"),
        (binding(dimension=SrvDimension.TEXTURE2DMSARRAY), "texture float4 2darrayMS t0"),
        (binding(InputType.UAV_RWTYPED, dimension=SrvDimension.BUFFER), "UAV float4 buf u0"),
        (binding(InputType.CBUFFER), "cbuffer NA NA cb0"),
        (binding(InputType.TBUFFER), "tbuffer NA NA t0"),
        (binding(InputType.SAMPLER, flags=1), "sampler NA NA s0"),
        (binding(InputType.SAMPLER, flags=3), "sampler_c NA NA s0"),
        (binding(InputType.STRUCTURED), "texture struct r/o t0"),
        (binding(InputType.UAV_RWSTRUCTURED), "UAV struct r/w u0"),
        (binding(InputType.BYTEADDRESS), "texture byte r/o t0"),
        (binding(InputType.UAV_RWBYTEADDRESS), "UAV byte r/w u0"),
        (binding(InputType.UAV_APPEND_STRUCTURED), "UAV struct append u0"),
        (binding(InputType.UAV_CONSUME_STRUCTURED), "UAV struct consume u0"),
        (binding(InputType.UAV_RWSTRUCTURED_WITH_COUNTER), "UAV struct r/w+cnt u0"),
    ],
)
def test_words(each: RdefBinding, words: str) -> None:
    assert row(each).split()[2:-1] == words.split()


def test_columns() -> None:
    each = binding(point=7, count=2)
    first = "// name                              texture  float4          2d"
    assert row(each) == f"{first}             t7      2 "
    assert row(each, generation="9.30") == f"{first}    7        2"
    assert row(each, minor=1) == f"{first}      T0             t7      2 "


@pytest.mark.parametrize(
    ("each", "end"),
    [
        (binding(space=1, number=3, count=0), "     T3      t0,space1 unbounded "),
        (binding(InputType.CBUFFER, count=0, number=2), "    CB2            cb0 4294967295 "),
        (binding(InputType.SAMPLER, count=5), "     S0             s0      5 "),
    ],
)
def test_ranges(each: RdefBinding, end: str) -> None:
    assert row(each, minor=1).endswith(end)


def test_unknown_numbers_are_printed() -> None:
    each = binding()
    each.kind, each.dimension = 99, 77
    assert row(each).split()[2:] == ["99", "float4", "0", "1"]
