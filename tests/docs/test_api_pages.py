"""The API reference is up to date and complete, and has an example of each call."""

import pytest

from tests.corpus import REPOSITORY
from tools import api_pages

pytestmark = pytest.mark.slow  # what is public is imported whole
DOCS = REPOSITORY / "docs" / "api"


@pytest.mark.parametrize("name", ["index.md", *(page.name for page in api_pages.PAGES)])
def test_page_is_fresh(name: str) -> None:
    committed = (DOCS / name).read_text(encoding="utf-8")
    assert committed == api_pages.pages()[name], "run: python tools/api_pages.py"


def test_there_are_no_other_pages() -> None:
    assert {path.name for path in DOCS.iterdir()} == set(api_pages.pages())


def test_every_public_name_is_described() -> None:
    assert [name for name in api_pages.public() if name not in api_pages.described()] == []
    undocumented = [name for name, (_, thing) in api_pages.described().items() if not thing.__doc__]
    assert undocumented == []


def test_names_in_the_reference_are_unique() -> None:
    assert len(api_pages.described()) == sum(len(page.things) for page in api_pages.PAGES)


def test_every_call_has_an_example() -> None:
    assert [name for name in api_pages.calls() if not api_pages.has_example(name)] == []


def test_every_example_is_shown() -> None:
    text = "\n".join(api_pages.pages().values())
    assert [name for name, example in api_pages.examples().items() if example not in text] == []


def test_only_inherited_members_are_referred_to() -> None:
    """A class refers to no other one because both are objects, or are shown in notebooks."""
    kinds = {name: thing for name, (_, thing) in api_pages.described().items()}
    assert api_pages.referred(kinds["Diff"]) == []
    assert api_pages.referred(kinds["DxContainer"]) == [kinds["Shader"]]
    assert api_pages.referred(kinds["Debugger"]) == [kinds["Kernel"]]  # their base is private


def test_headings_of_the_examples_file_are_not_shown() -> None:
    assert [name for name, text in api_pages.examples().items() if ".md\n" in f"{text}\n"] == []


def test_internal_members_exist() -> None:
    for name, hidden in api_pages.INTERNAL.items():
        present = dict(api_pages.members(api_pages.described()[name][1]))
        assert [member for member in hidden.split() if member not in present] == []
