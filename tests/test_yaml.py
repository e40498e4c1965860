"""YAML is plain data as text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import unshade
from tests.examples import each_container
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.one_of_each import one_of_each
from unshade import FormatError, LimitError
from unshade import yaml as module
from unshade.limits import Limits

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


def _serialized(data: object) -> str:
    """Return what PyYAML makes of its nodes, with short collections on one line."""

    class Plain(yaml.representer.SafeRepresenter):
        def ignore_aliases(self, data: object) -> bool:
            return True

    def fold(node: Any) -> int:
        if isinstance(node, yaml.ScalarNode):
            return len(node.value)
        items = [each if isinstance(each, tuple) else (each,) for each in node.value]
        size = 2 + sum(2 * len(each) + sum(map(fold, each)) for each in items)
        node.flow_style = size <= module.LINE
        return size

    root = Plain(sort_keys=False).represent_data(data)
    fold(root)
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text: str = yaml.serialize(root, Dumper=dumper, width=module.WIDTH, allow_unicode=True)
    return text


PLAIN: dict[str, object] = {
    "numbers": [0, 1, -5, True, False, 1.0, 0.0, -0.0, 1e30, 1e-7, float("inf"), float("-inf")],
    "equal": {"a": [1, True, 1.0], "b": [0.0, -0.0], "c": "1", "d": [None, "null", "~", ""]},
    "texts": ["yes", "0x10", "1e3", "2001-01-01", "a: b", "- x", "é\u2028\x85", "two\nlines"],
    "keys": {"=": "<<", "<<": "=", "1": 1, "": 0},
    "long": [{"name": f"n{at}", "values": [*range(at)]} for at in range(40)],
    "room": ["x" * 94, ["x" * 96], ["x" * 97], {"k": "x" * 93}, {"k": "x" * 94}, [[], {}, [[]]]],
    "wide": "word " * 60,
    "nothing": {},
    "scalar": 7,
}  # fmt: skip


@pytest.mark.parametrize("name", PLAIN)
def test_events_are_those_of_the_nodes(name: str) -> None:
    data = PLAIN[name]
    assert module.dumped(data) == _serialized(data)
    found = module.plain(module.dumped(data))
    assert repr(found) == repr(data)


# fmt: off
READ = [
    "a: [1, 1.5, .inf, -.INF, 0x10, 0b11, 017, 1_000, 1:30, yes, Off, ~, null, '', \"1\", +3]",
    "[a, 'a', \"a\\n\", |-\n x\n, b]", "? a\n: b\n? c\n", "1: one\nTrue: two\n1.0: three\n~: none",
    "a: 1\na: 2", "x", "3", "-", "", "# nothing", "---\n...", "--- a\n--- b", "&a x", "!!str 1",
    "!!int '1'", "[!!binary aGk=]", "[&a {x: 1}, *a]", "{<<: {a: 1}, b: 2}", "[<<, =]", "{=: 1}",
    "[2001-01-01]", "[2001-99-01]", "{[a]: b}", "{{a: b}: c}", "? - a\n: b", "[! x]", "[0b, 08]",
    "%YAML 1.1\n---\na: b", "a: b: c", "[a, b", "'x", "\ufeffa: 1", "{a, b: }",
    "[.nan, 1e5, 685.230_15e+03]",
]
# fmt: on


@pytest.mark.parametrize("text", READ)
def test_a_text_means_what_the_loader_says(text: str) -> None:
    def read(function: Callable[[], object]) -> object:
        try:
            return repr(function())
        except (FormatError, yaml.YAMLError, ValueError) as error:
            return str(error).splitlines()[0].rpartition("invalid YAML: ")[2]

    assert read(lambda: module.plain(text)) == read(lambda: yaml.load(text, Loader=LOADER))


@pytest.mark.fast
def test_a_plain_text_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has tags and anchors is read again, by the loader."""
    again: list[str] = []

    def load(text: str, Loader: object) -> object:
        again.append(text)
        return 0

    monkeypatch.setattr(yaml, "load", load)
    for text in ("a: [1, {b: 2}]", "x", "- 1.5\n- 'y'\n", "{}"):
        assert module.plain(text) != 0
    assert not again
    for text in ("[&a x, *a]", "!!str 1", "[! x]"):
        assert module.plain(text) == 0
    assert again == ["[&a x, *a]", "!!str 1", "[! x]"]


def test_values_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: [1, {b: 2}]"  # the mapping, the list, 1, a mapping, 2
    for nodes in (4, 5):
        monkeypatch.setattr(module, "DEFAULT", Limits(nodes=nodes))
        if nodes == 5:
            assert module.plain(text) == {"a": [1, {"b": 2}]}
        else:
            with pytest.raises(LimitError, match="nodes"):
                module.plain(text)
