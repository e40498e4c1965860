"""The API reference is up to date and complete, and has an example of each call."""

import pytest

from tests.corpus import REPOSITORY
from tests.tools import tool

pytestmark = pytest.mark.slow  # what is public is imported whole

PAGES = tool("api_pages")
DOCS = REPOSITORY / "docs" / "api"


@pytest.mark.parametrize("name", ["index.md", *(page.name for page in PAGES.PAGES)])
def test_page_is_fresh(name: str) -> None:
    committed = (DOCS / name).read_text(encoding="utf-8")
    assert committed == PAGES.pages()[name], "run: python tools/api_pages.py"


def test_there_are_no_other_pages() -> None:
    assert {path.name for path in DOCS.iterdir()} == set(PAGES.pages())


def test_every_public_name_is_described() -> None:
    assert [name for name in PAGES.public() if name not in PAGES.described()] == []
    undocumented = [name for name, (_, thing) in PAGES.described().items() if not thing.__doc__]
    assert undocumented == []


def test_names_in_the_reference_are_unique() -> None:
    assert len(PAGES.described()) == sum(len(page.things) for page in PAGES.PAGES)


def test_every_call_has_an_example() -> None:
    assert [name for name in PAGES.calls() if not PAGES.has_example(name)] == []


def test_every_example_is_shown() -> None:
    text = "\n".join(PAGES.pages().values())
    assert [name for name, example in PAGES.examples().items() if example not in text] == []


def test_only_inherited_members_are_referred_to() -> None:
    """A class refers to no other one because both are objects, or are shown in notebooks."""
    kinds = {name: thing for name, (_, thing) in PAGES.described().items()}
    assert PAGES.referred(kinds["Diff"]) == []
    assert PAGES.referred(kinds["DxContainer"]) == [kinds["Shader"]]
    assert PAGES.referred(kinds["Debugger"]) == [kinds["Kernel"]]  # their base is private


def test_headings_of_the_examples_file_are_not_shown() -> None:
    assert [name for name, text in PAGES.examples().items() if ".md\n" in f"{text}\n"] == []


def test_internal_members_exist() -> None:
    for name, hidden in PAGES.INTERNAL.items():
        present = dict(PAGES.members(PAGES.described()[name][1]))
        assert [member for member in hidden.split() if member not in present] == []
