"""Lines of a listing beside the lines of a source that they come from."""

from __future__ import annotations

from pathlib import Path

import unshade
from tests.fixtures.debug_lines import DXIL, SPIRV
from unshade.analysis.source_lines import NO_LINE, SourceListing, head, source_listing

EXAMPLES = Path(__file__).parents[2] / "examples"


def listed(text: str, format: str) -> SourceListing:
    shader = unshade.assemble(text, format)
    return source_listing(shader, shader.programs[0])


def heads(found: SourceListing) -> list[tuple[str, str]]:
    """Return each source line with the listing line that it begins at."""
    return [
        (head(found.texts, location), found.lines[number - 1].partition(", !dbg")[0].strip())
        for number, location in found.heads()
    ]


def test_lines_of_spirv_are_those_of_the_last_opline() -> None:
    found = listed(SPIRV, "spirv")
    assert heads(found) == [
        ("a.comp:3  uint a = 1u;", "OpStore %a %uint_1"),
        ("lib.glsl:20", "OpStore %a %uint_1"),
        (NO_LINE, "OpReturn"),
    ]
    assert found.is_located


def test_lines_of_dxil_are_those_of_its_locations() -> None:
    assert heads(listed(DXIL, "dxil")) == [
        ("light.hlsl:2  return x * 2;", "%1 = fmul float 2.000000e+00, 3.000000e+00"),
        (NO_LINE, "%2 = fadd float %1, 1.000000e+00"),
        ("light.hlsl:5", "ret void"),
    ]


def test_a_program_without_debug_information_has_no_locations() -> None:
    shader = unshade.open(EXAMPLES / "gyroid.dxbc")
    assert not source_listing(shader, shader.programs[0]).is_located
    shader = unshade.open(EXAMPLES / "saxpy6.dxil")
    found = source_listing(shader, shader.programs[0])
    assert not found.is_located
    assert found.locations
    assert [*found.heads()] == []
