"""The table of rules: every rule is on the page, and is broken by a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.corpus import REPOSITORY
from unshade.analysis.pipelines.rules import LINKS, LinkRule, reference

PAGE = REPOSITORY / "docs" / "how-to" / "pipelines.md"
TESTS = sorted(Path(__file__).parent.glob("test_*.py"))


def row(each: LinkRule) -> str:
    """Return the line of a rule in the table of the page."""
    numbers = [re.search(r"#\d+", text) for text in (each.d3d11, each.d3d12)]
    shown = " | ".join("" if found is None else found[0] for found in numbers)
    vulkan = each.vulkan.replace("{kind}", "…")
    return (
        f"| `{each.code}` | {each.severity} | {each.summary} | {shown} |"
        f" {f'`{vulkan}`' if vulkan else ''} |"
    )


def test_the_page_has_every_rule() -> None:
    page = PAGE.read_text()
    missing = [row(each) for each in LINKS if row(each) not in page]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("code", [each.code for each in LINKS])
def test_a_test_breaks_every_rule(code: str) -> None:
    assert any(f'"{code}"' in path.read_text() for path in TESTS if path.name != "test_rules.py")


def test_references() -> None:
    assert reference("link.register", "d3d12") == (
        "STATE_CREATION ERROR #660: CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_REGISTERINDEX"
    )
    assert reference("link.register", "vulkan") == ""
    assert reference("rts0.unbound", "d3d12") == ""
