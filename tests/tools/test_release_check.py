"""A tag, the version and the changelog have to agree."""

from pathlib import Path

import pytest

import unshade
from tools.release_check import DECLARING, changes, declared_version, problems

PACKAGE = '"""A package."""\n\n__version__ = "1.2.3"  # the one place\n'
CHANGES = "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-29\n\n- One.\n\n## [1.2.2] - x\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / DECLARING).parent.mkdir(parents=True)
    (tmp_path / DECLARING).write_text(PACKAGE)
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    return tmp_path


def test_a_tag_that_agrees(root: Path) -> None:
    assert problems("v1.2.3", root) == []


def test_another_version(root: Path) -> None:
    assert problems("v1.2.4", root) == [
        "src/unshade/__init__.py: expected the version 1.2.4, got 1.2.3"
    ]


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        (" - 2026-11-29", "", "expected a section ## [1.2.3] - YEAR-MONTH-DAY, got none"),
        ("- One.\n", "", "expected changes in the section 1.2.3, got none"),
        ("## [1.2.3]", "## [1.2.30]", "expected a section ## [1.2.3]"),
    ],
)
def test_the_changelog(root: Path, before: str, after: str, problem: str) -> None:
    (root / "CHANGELOG.md").write_text(CHANGES.replace(before, after, 1))
    (found,) = problems("v1.2.3", root)
    assert found.startswith("CHANGELOG.md: ")
    assert problem in found


def test_the_version_of_this_package(root: Path) -> None:
    assert declared_version() == unshade.__version__
    (root / DECLARING).write_text('name = "1.2.3"\n')
    with pytest.raises(ValueError, match=r"expected a line __version__ = "):
        declared_version(root)


def test_the_changes_of_a_version(root: Path) -> None:
    assert changes("1.2.3", root) == "- One."
    assert changes("1.2.1", root) is None
