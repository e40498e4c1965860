"""The generated pages say what the code says."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "format_pages", ROOT / "tools" / "format_pages.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["dxcontainer.md", "findings.md", "pica.md", "shbin.md", "tpf.md"])
def test_page_is_fresh(name: str) -> None:
    made = _generator().pages()[name]
    stands = (ROOT / "docs" / "formats" / name).read_text(encoding="utf-8")
    assert stands == made, "run: python tools/format_pages.py"
