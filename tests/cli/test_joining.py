"""Which texts in a folder make one shader together."""

import pytest

from unshade.cli.inputs import Input
from unshade.cli.joining import Joined, gather


def groups(*names: str, found: bool = True) -> list[tuple[str, list[str]] | str]:
    """Return the stem and the texts of each group, and the other files."""
    inputs = [Input(f"in/{each}", each, found) for each in names]
    return [
        (each.stem, [path.removeprefix("in/") for path in each.paths])
        if isinstance(each, Joined)
        else each.inside
        for each in gather(inputs)
    ]


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["a.0.v.pica", "a.1.g.pica"], [("a", ["a.0.v.pica", "a.1.g.pica"])]),
        (["a.1.g.pica", "a.0.v.pica"], [("a", ["a.0.v.pica", "a.1.g.pica"])]),
        (["a.10.v.pica", "a.9.v.pica"], [("a", ["a.9.v.pica", "a.10.v.pica"])]),
        (["a.0.v.pica"], [("a", ["a.0.v.pica"])]),
        (["a.1.v.pica"], [("a", ["a.1.v.pica"])]),
        (["a.v.pica"], [("a", ["a.v.pica"])]),
        (["a.v.pica", "a.g.pica"], ["a.v.pica", "a.g.pica"]),
        (["a.0.v.pica", "a.g.pica"], [("a", ["a.0.v.pica"]), "a.g.pica"]),
        (["a.v.pica", "b.v.pica"], [("a", ["a.v.pica"]), ("b", ["b.v.pica"])]),
        (["a.0.v.pica", "c.asm", "a.1.v.pica"], [("a", ["a.0.v.pica", "a.1.v.pica"]), "c.asm"]),
        (["b/a.0.v.pica", "a.1.v.pica"], [("b/a", ["b/a.0.v.pica"]), ("a", ["a.1.v.pica"])]),
        (["a.b.0.v.pica", "a.b.1.g.pica"], [("a.b", ["a.b.0.v.pica", "a.b.1.g.pica"])]),
        ([".v.pica", "a.0.v.pica.txt"], [".v.pica", "a.0.v.pica.txt"]),
    ],
)
def test_texts_of_one_stem(names: list[str], wanted: list[tuple[str, list[str]] | str]) -> None:
    assert groups(*names) == wanted


def test_files_that_were_named_are_not_grouped() -> None:
    assert groups("a.0.v.pica", "a.1.g.pica", found=False) == ["a.0.v.pica", "a.1.g.pica"]
