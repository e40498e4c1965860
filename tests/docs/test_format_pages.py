"""The generated format pages are up to date."""

import pytest

from tests.corpus import REPOSITORY
from tests.tools import tool
from unshade.formats import own

TOOL = tool("format_pages")
NAMES = ["findings.md", *(f"{name}.md" for name in TOOL.NAMES)]
ANOTHER = {"dvoj": "shbin"}  # formats on the page of another


def test_every_format_has_a_page() -> None:
    assert {ANOTHER.get(each.name, each.name) for each in own()} <= set(TOOL.NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_page_is_fresh(name: str) -> None:
    made = TOOL.pages()[name]
    stands = (REPOSITORY / "docs" / "formats" / name).read_text(encoding="utf-8")
    assert stands == made, "run: python tools/format_pages.py"
