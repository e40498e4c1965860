"""The registry: formats by magic and by name, and those of other packages."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.fixtures import blog_vs_4_0 as blog
from unshade import formats, plugins
from unshade.errors import FormatError, UnsupportedError, UsageError
from unshade.formats import FORMATS, Format, Shader
from unshade.limits import Limits


class Toy(Shader):
    """A format of another package: four bytes of magic and one more."""

    format = "toy"

    def __init__(self, data: bytes) -> None:
        self.data = data

    @classmethod
    def loads(cls, data: bytes, limits: Any = None) -> "Toy":
        return cls(bytes(data[:5]))

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        return 5

    def to_bytes(self) -> bytes:
        return self.data


class Entry:
    """The entry point of an installed package."""

    def __init__(self, name: str, found: object) -> None:
        self.name = name
        self.value = f"package:{name}"
        self.found = found

    def load(self) -> object:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A package that brings the format `toy`; the list says how often packages were looked at."""
    groups: list[str] = []

    def entry_points(group: str) -> list[Entry]:
        groups.append(group)
        return [
            Entry("old", ImportError("No module named 'gone'")),
            Entry("toy", Format("toy", b"TOY!", f"{__name__}:Toy")),
            Entry("odd", "not a format"),
            Entry("hollow", Format("hollow", b"HOLLOW", "no.such.module:Hollow")),
        ]

    monkeypatch.setattr(plugins, "entry_points", entry_points)
    formats._plugins.cache_clear()
    yield groups
    formats._plugins.cache_clear()


def test_names_and_magics_are_distinct() -> None:
    assert len({name for name, _ in FORMATS}) == len(FORMATS)
    assert [each.name for each in formats.own()] == [name for name, _ in FORMATS]
    assert all(each.magic or each.matches for each in formats.own())


@pytest.mark.parametrize("each", formats.own(), ids=lambda each: each.name)
def test_a_format_s_module_has_its_class(each: Format) -> None:
    assert each.shader().format == each.name
    assert formats.format_named(each.name) is each


def test_own_formats_need_no_entry_points(asked: list[str]) -> None:
    assert formats.loads(blog.build()).format == "dxcontainer"
    assert formats.identify(b"DXBC") == "dxcontainer"
    assert asked == []


def test_a_format_of_another_package(asked: list[str]) -> None:
    assert formats.identify(b"TOY!x") == "toy"
    assert isinstance(formats.loads(b"TOY!x"), Toy)
    assert isinstance(formats.open_nested(b"TOY!x"), Toy)
    assert formats.format_named("toy").name == "toy"
    assert set(asked) == {"unshade.formats"}
    assert len(asked) == 1, "asked once"


def test_a_format_of_another_package_inside_larger_data(asked: list[str]) -> None:
    blog_file = blog.build()
    data = b"x" + b"TOY!1" + blog_file + b"HOLLOW" + b"TOY!2"
    assert [tuple(found) for found in formats.find(data)] == [
        (1, 5, "toy"),
        (6, len(blog_file), "dxcontainer"),
        (12 + len(blog_file), 5, "toy"),
    ]
    assert len(list(formats.find(bytearray(data)))) == 3
    assert len(list(formats.find(memoryview(data)))) == 3


def test_a_format_that_fails_to_load_does_not_affect_others(asked: list[str]) -> None:
    wanted = (
        r"expected one of dxcontainer, .*, toy, hollow; old \(package:old\) cannot be loaded: "
        r"ImportError\(.No module named 'gone'.\); odd \(package:odd\) is not a Format"
    )
    with pytest.raises(UsageError, match=wanted):
        formats.format_named("x")
    with pytest.raises(FormatError, match=r"toy \(TOY!\).*; old \(package:old\) cannot"):
        formats.loads(b"nothing")
    with pytest.raises(
        UnsupportedError, match="the format hollow cannot be loaded: No module named"
    ):
        formats.loads(b"HOLLOW")


def test_unknown_data() -> None:
    assert formats.identify(b"") is None
    with pytest.raises(FormatError, match=r"expected the magic of dxcontainer .*, got 01 02 03"):
        formats.loads(b"\1\2\3")
    magics = (
        r"dxcontainer \(DXBC\), .*, msf \(Microsoft .*7.00\), sodb \(SQLite format 3\), "
        r"dxil, spirv \(03 02 23 07\), sksl, d3d9, got"
    )
    with pytest.raises(FormatError, match=f"{magics} 01 02 03$"):
        formats.loads(b"\1\2\3")
    text = b"\n// the sky\nhalf4 main(float2 p) { return half4(1); }\n"
    with pytest.raises(FormatError) as caught:
        formats.loads(text)
    assert str(caught.value) == (
        "at 0x0: expected a compiled shader, got a text, '// the sky': unshade.compile takes"
        " sources and listings"
    )
    with pytest.raises(FormatError, match=r"got nothing$"):
        formats.loads(b"")
    with pytest.raises(UsageError, match="unknown format 'x': expected one of dxcontainer"):
        formats.format_named("x")


def test_a_test_besides_the_magic() -> None:
    even = Format("even", b"E", "", lambda data: len(data) % 2 == 0)
    assert even.recognises(b"Ex")
    assert not even.recognises(b"E")
    assert not even.recognises(b"xE")


def test_a_shader_in_a_file_of_another_format() -> None:
    data = blog.build()
    found = formats.nested_shader(data, "msf", Limits())
    assert found is not None
    assert found.to_bytes() == data
    assert formats.nested_shader(data, "dxcontainer", Limits()) is None
    assert formats.nested_shader(data[:40], "msf", Limits()) is None
    assert formats.nested_shader(b"text", "msf", Limits()) is None
    plain = found.to_data()
    assert formats.nested_from_data(plain, "msf", "a").to_bytes() == data


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ([], "a: expected a shader, got []"),
        ({"format": 1}, "a: expected a shader, got {'format': 1}"),
        ({"format": "msf"}, "a: expected no msf file inside another"),
        ({"format": "shbin", "b": 1}, "a.Dvlb: unknown field"),
    ],
)
def test_plain_data_of_a_shader_in_a_file(plain: object, message: str) -> None:
    with pytest.raises(FormatError) as raised:
        formats.nested_from_data(plain, "msf", "a")
    assert message in str(raised.value)
