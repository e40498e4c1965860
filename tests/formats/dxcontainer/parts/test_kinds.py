"""Which parts are typed, by which module, and that each kind reads, shows and writes itself."""

import pkgutil

import pytest

import unshade
from tests.fixtures.one_of_each import one_of_each
from unshade.formats.dxcontainer import DxContainer, parts
from unshade.formats.dxcontainer.parts import ALIASES, kind_of

TYPED = [
    *("RDEF", "ISGN", "OSGN", "PCSG", "OSG5", "ISG1", "OSG1", "PSG1", "SHDR", "SHEX", "STAT"),
    *("SFI0", "IFCE", "ICFE", "RTS0", "HASH"),
]
FILES = {name: data for name, data in one_of_each().items() if name != "PRIV"}


@pytest.mark.parametrize("name", TYPED)
def test_typed(name: str) -> None:
    assert kind_of(name) is not None


@pytest.mark.parametrize(
    "name", ["PRIV", "XYZ9", "stat", "kind", "KIND", "Aon9", "", "\xff\0 \x80", "...."]
)
def test_not_typed(name: str) -> None:
    assert kind_of(name) is None


def test_every_alias_has_its_module() -> None:
    modules = {each.name for each in pkgutil.iter_modules(parts.__path__)}
    assert set(ALIASES.values()) <= modules


@pytest.mark.parametrize("name", FILES)
def test_each_reads_shows_and_writes_itself(name: str) -> None:
    shader = unshade.loads(FILES[name])
    assert isinstance(shader, DxContainer)
    (part,) = shader.parts
    assert not isinstance(part.value, bytes)
    assert not shader.diagnostics
    shown = part.to_data()["fields"]
    assert "layout" not in shown, "laid out as the compilers do"
    again = unshade.from_data(shader.to_data())
    assert again.to_bytes() == FILES[name]
    spans = part.spans()
    assert sum(span.length for span in spans if span.bits is None) <= len(part.data)
    assert all(span.path for span in spans)


def test_stat_beside_dxil_is_another_part() -> None:
    data = bytes(8) + b"DXIL" + bytes(200)
    kind = kind_of("STAT")
    assert kind is not None
    assert not kind.accepts(data)
    assert kind.accepts(bytes(116))
