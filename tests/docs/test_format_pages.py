"""The generated format pages are up to date."""

import pytest

from tests.corpus import REPOSITORY
from tools import format_pages
from unshade.formats import own

NAMES = ["findings.md", *(f"{name}.md" for name in format_pages.NAMES)]
ANOTHER = {"dvoj": "shbin"}  # formats on the page of another


def test_every_format_has_a_page() -> None:
    assert {ANOTHER.get(each.name, each.name) for each in own()} <= set(format_pages.NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_page_is_fresh(name: str) -> None:
    made = format_pages.pages()[name]
    stands = (REPOSITORY / "docs" / "formats" / name).read_text(encoding="utf-8")
    assert stands == made, "run: python tools/format_pages.py"
