"""The generated format pages are up to date."""

import pytest

from tests.corpus import REPOSITORY
from tests.tools import tool
from unshade.formats import own

NAMES = ["findings.md", *(name for each in own() for name, _ in each.pages)]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_page_is_fresh(name: str) -> None:
    made = tool("format_pages").pages()[name]
    stands = (REPOSITORY / "docs" / "formats" / name).read_text(encoding="utf-8")
    assert stands == made, "run: python tools/format_pages.py"
