"""The enumerations of VBC, as VSL's wiki page and compiler number them."""

from __future__ import annotations

from enum import IntEnum

import pytest

from tests.enumerators import enumerators, members
from unshade.formats.vbc.records import BaseType, PipelineType, TexelRank, TexelType

pytestmark = pytest.mark.fast

LISTS: list[tuple[type[IntEnum], str]] = [
    (PipelineType, "GRAPHICS=1"),
    (
        BaseType,
        "VOID BOOLEAN SIGNED UNSIGNED FLOAT SAMPLER IMAGE RO_BUFFER RW_BUFFER RO_TEXELS RW_TEXELS"
        " SUBPASS_INPUT UNIFORM STRUCT",
    ),
    (TexelRank, "D1 D2 D3 D1_ARRAY D2_ARRAY CUBE BUFFER"),
    (TexelType, "SIGNED UNSIGNED FLOAT UNORM SNORM"),
]


@pytest.mark.parametrize(
    ("enumeration", "text"), LISTS, ids=lambda each: getattr(each, "__name__", "")
)
def test_numbers(enumeration: type[IntEnum], text: str) -> None:
    assert members(enumeration) == enumerators(text)
