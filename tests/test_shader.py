"""A shader as a mapping of part names, in every format."""

from collections.abc import Callable

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.formats.dxcontainer import DxContainer

PHONG = EXAMPLES / "phong.dxbc"
REVERSE = EXAMPLES / "reverse.shbin"
NAMES = ["ISGN", "OSGN", "RDEF", "SHDR", "STAT"]


def test_a_shader_is_a_mapping() -> None:
    shader = unshade.open(PHONG)
    assert list(shader) == list(shader.keys()) == NAMES
    assert len(shader) == len(NAMES)
    assert "RDEF" in shader
    assert "NOPE" not in shader
    assert 5 not in shader
    assert [(name, type(value)) for name, value in shader.items()] == [
        (name, type(shader[name])) for name in NAMES
    ]
    assert next(iter(shader.values())) is shader["ISGN"]
    assert shader.keys() & {"STAT", "NOPE"} == {"STAT"}
    assert dict(shader)["STAT"] is shader["STAT"]


@pytest.mark.parametrize("name", ["reverse.shbin", "noise.skslb", "clay.frag.spv", "mandel.dxbc"])
def test_spans_below_a_path(name: str) -> None:
    shader = unshade.open(EXAMPLES / name)
    spans = shader.spans()
    for path in {each.path.rpartition(".")[0] for each in spans[::7]} - {""}:
        inner = (f"{path}.", f"{path}[")
        expected = [each for each in spans if each.path == path or each.path.startswith(inner)]
        assert shader.spans_below(path) == expected, path
    assert shader.spans_below("nothing") == []


def test_duplicate_names_are_listed_once() -> None:
    shader = DxContainer.loads(PHONG.read_bytes())
    shader.parts.append(shader.parts["STAT"])
    assert len(shader) == len(list(shader)) == len(NAMES)
    assert len(shader.parts) == len(NAMES) + 1


def test_get_has_a_default() -> None:
    shader = unshade.open(PHONG)
    assert shader.get("RDEF") is shader["RDEF"]
    assert shader.get("NOPE") is None
    assert shader.get("NOPE", 5) == 5


@pytest.mark.parametrize("shader", [unshade.open(PHONG), unshade.Shader()], ids=["some", "none"])
def test_a_missing_part_is_a_key_error(shader: unshade.Shader) -> None:
    with pytest.raises(KeyError) as caught:
        shader["NOPE"]
    assert isinstance(caught.value, unshade.UsageError)
    assert str(caught.value).startswith("no part 'NOPE': ")
    with pytest.raises(KeyError):
        shader.parts["NOPE"]


def test_a_shader_without_parts_is_true() -> None:
    shader = unshade.Shader()
    assert len(shader) == 0
    assert bool(shader)
    assert list(shader.items()) == []


def test_tab_completion_knows_part_names() -> None:
    assert unshade.open(PHONG)._ipython_key_completions_() == NAMES


@pytest.mark.parametrize("kind", [unshade.DxContainer, unshade.Shbin])
def test_a_class_opens_its_own_format(kind: type[unshade.Shader]) -> None:
    files = {unshade.DxContainer: PHONG, unshade.Shbin: REVERSE}
    for cls, path in files.items():
        if cls is kind:
            assert type(kind.open(path)) is kind
            with path.open("rb") as file:
                assert kind.open(file).to_bytes() == path.read_bytes()
        else:
            with pytest.raises(unshade.FormatError, match=r"expected b'D\w+', got b'D\w+'"):
                kind.open(path)
    with pytest.raises(FileNotFoundError):
        kind.open("nowhere")


def test_unsupported_operations_are_refused() -> None:
    shader = unshade.open(REVERSE)
    calls: list[Callable[[], object]] = [
        lambda: shader.rename("projection", "world"),
        lambda: setattr(shader, "private_data", b"mine"),
        lambda: shader.__setitem__("DVLP", b""),
        lambda: shader.__delitem__("DVLP"),
        shader.recount,
        shader.sign,
    ]
    for call in calls:
        with pytest.raises(unshade.UnsupportedError, match="shbin files"):
            call()
    assert shader.private_data is None
    assert shader.to_bytes() == REVERSE.read_bytes()
