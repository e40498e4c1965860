"""YAML is plain data as text."""

from pathlib import Path

import pytest
import yaml

import unshade
from tests.examples import each_container
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.one_of_each import one_of_each
from unshade import FormatError, LimitError

FILES = one_of_each() | {"blog": blog.build()}
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def there_and_back(data: bytes) -> None:
    text = unshade.to_yaml(unshade.loads(data))
    assert unshade.from_yaml(text).to_bytes() == data
    assert yaml.load(text, Loader=LOADER) == unshade.loads(data).to_data()


@pytest.mark.parametrize("name", FILES)
def test_round_trip(name: str) -> None:
    there_and_back(FILES[name])


@pytest.mark.heavy
@each_container
def test_examples_round_trip(path: Path) -> None:
    there_and_back(path.read_bytes())


def test_yaml_is_readable() -> None:
    text = unshade.to_yaml(unshade.loads(blog.build()))
    assert text.startswith("format: dxcontainer\n")
    assert "&id" not in text, "no anchors"
    assert "!!" not in text, "no tags"
    assert max(map(len, text.splitlines())) <= 160


def test_an_edit_in_the_text() -> None:
    text = unshade.to_yaml(unshade.loads(blog.build()))
    shader = unshade.from_yaml(text.replace("POSITION", "LOCATION", 1))
    assert b"LOCATION" in shader.to_bytes()


# fmt: off
BAD = [
    ("",                                        "expected the name of a format"),
    ("a: [",                                    "invalid YAML"),
    ("\tx",                                     "invalid YAML"),
    ("\0",                                      "invalid YAML"),
    ("!!python/object:os.system {}",            "invalid YAML"),
    ("format: dxcontainer",                     "a list of parts"),
    ("format: dxcontainer\nparts: [1]",         "expected a part with a name"),
    ("? [a]\n: b",                              "invalid YAML"),
    ("format: 2001-01-01",                      "expected the name of a format"),
    ("{format: dxcontainer, parts: &a [*a]}",   "contains itself"),
    ("[" * 100_000,                             "nested more than"),
    ("- " * 100_000,                            "nested more than"),
    ("{a: " * 100_000,                          "nested more than"),
]
# fmt: on


@pytest.mark.parametrize(("text", "words"), BAD, ids=[text[:30] for text, _ in BAD])
def test_invalid_yaml_is_refused(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        unshade.from_yaml(text)


def test_anchors_are_expanded_within_limits() -> None:
    once = "format: dxcontainer\nparts: [&a {name: PRIV, data: '00'}, *a]\n"
    assert unshade.from_yaml(once).to_bytes().count(b"PRIV") == 2
    lines = ["x0: &x0 [1, 1]"]
    lines += [f"x{i}: &x{i} [*x{i - 1}, *x{i - 1}]" for i in range(1, 60)]
    with pytest.raises(LimitError, match="nodes"):
        unshade.from_yaml("\n".join(lines))
