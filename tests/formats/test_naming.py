"""Nobody but a format's own folder and the registry knows a format by name."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus import REPOSITORY
from unshade.formats import known, own

SOURCE = REPOSITORY / "src" / "unshade"
NEUTRAL = [
    *sorted((SOURCE / "cli").rglob("*.py")),
    REPOSITORY / "tools" / "format_pages.py",
]


@pytest.mark.parametrize("path", NEUTRAL, ids=lambda path: path.name)
def test_no_registered_name_is_spelled(path: Path) -> None:
    names = {word for each in own() for word in (each.name, each.tool, *each.holds) if word}
    pattern = rf"(?i)(?<![a-z])(?:{'|'.join(sorted(names))})(?![a-z])"
    assert re.findall(pattern, path.read_text("utf-8")) == []


@pytest.mark.slow
def test_no_code_compares_format_names() -> None:
    """Code outside of the folders of formats and programs compares with no registered name."""
    names = {word for each in own() for word in (each.name, *each.holds)}
    own_names = {
        SOURCE / "__init__.py",
        SOURCE / "part_types.py",
        SOURCE / "vocab" / "made.py",
    }  # public classes, generated types, names of what compilers and translations make
    for path in sorted(SOURCE.rglob("*.py")):
        if path in own_names or path.is_relative_to(SOURCE / "formats"):
            continue
        if path.is_relative_to(SOURCE / "programs"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            assert not (isinstance(node, ast.Constant) and node.value in names), path
            if isinstance(node, ast.ImportFrom):
                assert not names & set((node.module or "").split(".")), path


def test_describing_all_formats_imports_none() -> None:
    program = (
        "import sys\n"
        "from unshade import formats, plugins\n"
        "before = set(sys.modules)\n"
        "assert list(formats.own()) and formats.identify(b'DXBC') and formats.suffixes()\n"
        "print(*sorted(each for each in set(sys.modules) - before if each.startswith('unshade')))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    homes = {each.home.rpartition(".")[0] for each in own()}
    assert ended.stderr == ""
    for name in ended.stdout.split():
        assert name.endswith(".about") or name in homes, name


def test_descriptions_are_complete() -> None:
    for each in known():
        assert bool(each.says) == bool(each.example) == bool(each.texts), each.name
        assert each.suffix.startswith(".")
        assert not each.links_to or each.links_to in {other.name for other in known()}
