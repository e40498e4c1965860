"""The generated pages say what the code says."""

import pytest

from tests.corpus import REPOSITORY
from tests.tools import tool


@pytest.mark.parametrize("name", ["dxcontainer.md", "findings.md", "pica.md", "shbin.md", "tpf.md"])
def test_page_is_fresh(name: str) -> None:
    made = tool("format_pages").pages()[name]
    stands = (REPOSITORY / "docs" / "formats" / name).read_text(encoding="utf-8")
    assert stands == made, "run: python tools/format_pages.py"
