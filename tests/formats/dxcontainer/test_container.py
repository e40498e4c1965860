"""The container: order, gaps, names, sizes, trailing bytes, and the digest after edits."""
# ruff: noqa: E501  (the tables are columns)

import io
import re
import struct
from pathlib import Path
from typing import Any

import pytest

import unshade
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.containers import container, signature
from tests.formats.sizes import check_size_is_limited
from unshade import FormatError, LimitError, Limits, Severity, UsageError
from unshade.formats.dxcontainer import DigestKind, DxContainer, DxPart
from unshade.formats.dxcontainer.digest import COVERED_FROM, digest
from unshade.formats.dxcontainer.parts.signature import ProgramSignature, SignatureElement
from unshade.formats.dxcontainer.parts.stat import ShaderStatistics

PRIVATE = ("PRIV", b"private")
STAT = ("STAT", struct.pack("<29I", *range(29)))
HASH = ("HASH", struct.pack("<I", 1) + bytes(range(16)))
BLOG = blog.build()
ISGN = ("ISGN", signature(("POSITION", 0), ("TEXCOORD", 1)))

ODD: dict[str, dict[str, Any]] = {
    "plain": {"parts": [STAT, ISGN]},
    "no parts": {"parts": []},
    "an empty part": {"parts": [("PRIV", b"")]},
    "a table in another order": {"parts": [STAT, ISGN, HASH], "order": [2, 0, 1]},
    "one name twice": {"parts": [PRIVATE, ("PRIV", b"other"), PRIVATE]},
    "unaligned parts": {"parts": [PRIVATE, STAT, ("PRIV", b"x"), ISGN]},
    "gaps": {"parts": [STAT, ISGN], "gaps": [b"\0\0\0\0", b"between"]},
    "bytes after the parts": {"parts": [STAT], "tail": b"more"},
    "trailing bytes": {"parts": [STAT], "trailing": b"of another file"},
    "tail and trailing": {"parts": [STAT], "tail": b"more", "trailing": b"DXBC"},
    "a size too large": {"parts": [STAT], "size": 5000},
    "a size too small": {"parts": [STAT, ISGN], "size": 60},
    "a size of 0": {"parts": [STAT], "size": 0},
    "another version": {"parts": [STAT], "version": (2, 7)},
    "letters beyond ASCII": {"parts": [("\xff\0 \x80", b"x")]},
    "an unknown part": {"parts": [("XYZ9", b"unknown")]},
    "not signed": {"parts": [STAT], "kind": DigestKind.NONE},
    "a debug digest": {"parts": [STAT], "kind": DigestKind.DEBUG},
    "a bypass mark": {"parts": [STAT], "kind": DigestKind.BYPASS},
    "a preview bypass mark": {"parts": [STAT], "kind": DigestKind.PREVIEW_BYPASS},
    "a wrong digest": {"parts": [STAT], "kind": bytes(range(16))},
    "a malformed part": {"parts": [("STAT", b"short"), ("ISGN", b"")]},
    "everything": {
        "parts": [PRIVATE, ISGN, PRIVATE, ("STAT", b"short")],
        "order": [3, 1, 0, 2],
        "gaps": [b"a", b"", b"ccc"],
        "kind": bytes(range(16)),
        "size": 7,
        "version": (3, 1),
    },
}
every = pytest.mark.parametrize("given", ODD.values(), ids=ODD)


def load(data: bytes, **options: Any) -> DxContainer:
    shader = unshade.loads(data, **options)
    assert isinstance(shader, DxContainer)
    return shader


@every
def test_round_trip(given: dict[str, Any]) -> None:
    data = container(**given)
    shader = load(data)
    assert [part.name for part in shader.parts] == [name for name, _ in given["parts"]]
    assert [part.data for part in shader.parts] == [raw for _, raw in given["parts"]]
    assert shader.to_bytes() == data


@every
def test_round_trip_after_reading_every_part(given: dict[str, Any]) -> None:
    data = container(**given)
    shader = load(data)
    for part in shader.parts:
        _ = part.value
    assert shader.to_bytes() == data


@every
def test_round_trip_through_plain_data(given: dict[str, Any]) -> None:
    data = container(**given)
    assert unshade.from_data(load(data).to_data()).to_bytes() == data


@every
def test_spans_cover_each_byte_once(given: dict[str, Any]) -> None:
    data = container(**given)
    at = 0
    for span in load(data).spans():
        assert span.offset == at, span
        at += span.length
    assert at == len(data)


@every
def test_spans_below_a_path(given: dict[str, Any]) -> None:
    shader = load(container(**given))
    spans = shader.spans()
    parts = {each.path.partition(".")[0] for each in spans}
    for path in (*parts, *(each.path for each in spans[:: max(len(spans) // 50, 1)]), "none", "S"):
        inner = (f"{path}.", f"{path}[")
        expected = [each for each in spans if each.path == path or each.path.startswith(inner)]
        assert shader.spans_below(path) == expected, path


def test_header() -> None:
    shader = load(container([STAT], version=(2, 7), trailing=b"xyz"))
    assert (shader.major, shader.minor) == (2, 7)
    assert shader.declared_size is None
    assert shader.trailing == b"xyz"
    assert shader.format == "dxcontainer"
    assert not shader.diagnostics


def test_a_wrong_declared_size_is_kept_and_reported() -> None:
    shader = load(container([STAT], size=5000))
    assert shader.declared_size == 5000
    (found,) = shader.diagnostics
    assert (found.code, found.severity, found.offset) == ("container.size", Severity.ERROR, 24)
    assert "5000" in found.message
    shader.sign()
    assert not load(shader.to_bytes()).diagnostics


def test_bytes_within_the_declared_size_are_tail() -> None:
    shader = load(container([STAT], tail=b"tail", trailing=b"trailing"))
    assert (shader.tail, shader.trailing) == (b"tail", b"trailing")


# fmt: off
REFUSALS = [
    # what is damaged           offset  value        offset, path of the error    words
    ("magic",                        0, b"DXBX",     0, "magic",         "expected the magic"),
    ("part count beyond the end",   28, 1000,       32, "offsets",       "expected 4000 bytes for 1000 offsets, got 147"),
    ("part count of all ones",      28, 0xFFFFFFFF, 32, "offsets",       "bytes for 4294967295 offsets, got 147"),
    ("offset beyond the end",       32, 10_000,     32, "parts[0]",      "expected a part header at 0x2710, got the end at 0x"),
    ("offset into the header",      32, 8,          32, "parts[0]",      "expected an offset from 0x28 on, got 0x8"),
    ("offset near the end",         32, 0xFFFFFFFF, 32, "parts[0]",      "expected a part header at 0xffffffff"),
    ("two offsets alike",           36, 40,         36, "parts[1]",      "expected an offset from 0xa4 on, got 0x28"),
    ("size beyond the end",         44, 0xFFFFFFFF, 44, "parts[0].size", "expected 4294967295 bytes for STAT"),
]
# fmt: on


@pytest.mark.parametrize(
    ("where", "value", "offset", "path", "words"),
    [case[1:] for case in REFUSALS],
    ids=[case[0] for case in REFUSALS],
)
def test_refusals(where: int, value: int | bytes, offset: int, path: str, words: str) -> None:
    data = bytearray(container([STAT, PRIVATE]))
    data[where : where + 4] = value if isinstance(value, bytes) else value.to_bytes(4, "little")
    with pytest.raises(FormatError, match=re.escape(words)) as caught:
        unshade.loads(bytes(data))
    assert (caught.value.offset, caught.value.path) == (offset, path)


def test_limits() -> None:
    data = container([STAT, PRIVATE])
    with pytest.raises(LimitError, match="parts = 1 exceeded: the data needs 2"):
        unshade.loads(data, limits=Limits(parts=1))
    with pytest.raises(LimitError, match="file_size"):
        unshade.loads(data, limits=Limits(file_size=100))


# -- parts ---------------------------------------------------------------------------------------


def test_part_list() -> None:
    shader = load(container([PRIVATE, STAT, ("PRIV", b"second")]))
    assert shader.parts["PRIV"] is shader.parts[0]
    assert [part.data for part in shader.parts.all("PRIV")] == [b"private", b"second"]
    assert [part.name for part in shader.parts.all("STAT", "PRIV")] == ["PRIV", "STAT", "PRIV"]
    assert shader.parts.get("ISGN", "STAT") is shader.parts[1]
    assert shader.parts.get("ISGN") is None
    assert shader.parts[1:] == [shader.parts[1], shader.parts[2]]
    with pytest.raises(UsageError, match="no part 'RDEF': expected one of PRIV, STAT"):
        shader.parts["RDEF"]
    with pytest.raises(UsageError, match="there are no parts"):
        load(container([])).parts["RDEF"]


def test_values_by_name() -> None:
    shader = load(container([STAT, PRIVATE]))
    assert isinstance(shader["STAT"], ShaderStatistics)
    assert shader["STAT"] is shader["STAT"]
    assert shader["STAT"].temp_register_count == 1
    assert shader["PRIV"] == b"private"
    assert "STAT" in shader
    assert "RDEF" not in shader
    assert repr(shader) == "<DxContainer STAT PRIV>"


def test_a_shader_is_a_mapping_of_names() -> None:
    shader = load(container([PRIVATE, STAT, ("PRIV", b"second")]))
    assert list(shader) == ["PRIV", "STAT"]
    assert {name: type(shader[name]) for name in shader} == {
        "PRIV": bytes,
        "STAT": ShaderStatistics,
    }
    shader["STAT"] = ShaderStatistics(instruction_count=5)
    shader["PRIV"] = b"first"
    shader["ISGN"] = ProgramSignature(elements=[SignatureElement(name="A", mask=1)])
    shader["HASH"] = HASH[1]
    again = load(shader.to_bytes())
    assert [part.name for part in again.parts] == ["PRIV", "STAT", "ISGN", "HASH", "PRIV"]
    assert [part.data for part in again.parts.all("PRIV")] == [b"first", b"second"]
    assert again["STAT"].instruction_count == 5
    assert again["ISGN"].elements[0].name == "A"
    assert again["HASH"].flags == 1
    del shader["STAT"]
    del shader["PRIV"]
    assert "STAT" not in shader
    assert shader["PRIV"] == b"second", "the next of that name"
    assert list(load(shader.to_bytes())) == ["ISGN", "HASH", "PRIV"]
    assert not load(shader.to_bytes()).diagnostics
    assert 5 not in shader


def test_invalid_names_and_values_are_refused() -> None:
    shader = load(container([STAT]))
    with pytest.raises(
        UsageError, match=r"expected the name of a part, got 0; `parts` takes indices"
    ):
        shader[0]  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="no part 'PRIV': expected one of STAT"):
        del shader["PRIV"]
    with pytest.raises(UsageError, match="expected the name of a part"):
        del shader[0]  # type: ignore[arg-type]
    for name in ("ABC", 0, "日本語字"):
        with pytest.raises(UsageError, match="four-letter name"):
            shader[name] = b""  # type: ignore[index]
    for value in (5, "text", ProgramSignature()):
        with pytest.raises(UsageError, match="STAT: expected bytes or a ShaderStatistics"):
            shader["STAT"] = value
        with pytest.raises(UsageError, match="PRIV: expected bytes, got"):
            shader["PRIV"] = value
    assert [part.name for part in shader.parts] == ["STAT"]


def test_part_list_items_by_name() -> None:
    shader = load(container([STAT, PRIVATE, STAT]))
    del shader.parts["STAT"]
    assert [part.name for part in shader.parts] == ["PRIV", "STAT"]
    with pytest.raises(UsageError, match="no part 'RDEF'"):
        del shader.parts["RDEF"]
    with pytest.raises(UsageError, match="cannot replace a part by name"):
        shader.parts["STAT"] = DxPart(*STAT)
    shader.parts[0] = DxPart(*HASH)
    shader.parts[1:] = [DxPart(*ISGN)]
    assert [part.name for part in shader.parts] == ["HASH", "ISGN"]
    shader.parts = [DxPart(*STAT)]
    assert load(shader.to_bytes())["STAT"].temp_register_count == 1


@pytest.mark.parametrize("value", ["ab", None, 5, (1,)])
def test_gaps_must_be_bytes(value: Any) -> None:
    shader = load(container([STAT]))
    for holder, name in ((shader.parts[0], "gap"), (shader, "tail"), (shader, "trailing")):
        with pytest.raises(UsageError, match=f"{name}: expected bytes, got"):
            setattr(holder, name, value)
        setattr(holder, name, bytearray(b"x"))
        assert getattr(holder, name) == b"x"
    with pytest.raises(UsageError, match="gap: expected bytes"):
        DxPart("PRIV", gap=value)


def test_an_edit_keeps_unknown_bytes() -> None:
    """Nothing points at the bytes after the names: a longer name moves them, no edit drops them."""
    raw = signature(("A", 0), ("B", 1)) + b"nobody's"
    shader = load(container([("ISGN", raw)]))
    shader["ISGN"].elements[0].name = "LONGER"
    made = shader.parts["ISGN"].data
    assert made == signature(("LONGER", 0), ("B", 1)) + b"nobody's"
    assert unshade.from_data(shader.to_data()).to_bytes() == shader.to_bytes()
    again = load(shader.to_bytes())
    again["ISGN"].elements[1].name = "LONGER, TOO"
    assert again.parts["ISGN"].data.endswith(b"nobody's")
    del again["ISGN"].elements[:]
    assert again.parts["ISGN"].data.endswith(b"nobody's")


def test_an_edit_of_a_typed_part_is_written() -> None:
    shader = load(container([STAT, PRIVATE]))
    shader["STAT"].temp_register_count = 77
    assert load(shader.to_bytes())["STAT"].temp_register_count == 77


def test_part_list_methods_take_names() -> None:
    parts = load(container([HASH, STAT, PRIVATE, HASH])).parts
    assert (parts.index("STAT"), parts.count("HASH"), parts.count(parts[0])) == (1, 2, 1)
    parts.remove("STAT")
    assert parts.pop("PRIV").data == PRIVATE[1]
    assert [part.name for part in parts] == ["HASH", "HASH"]
    assert parts.pop() is not parts.pop()
    with pytest.raises(UsageError, match="no part 'HASH': there are no parts"):
        parts.pop("HASH")


def test_sorting_parts_needs_a_key() -> None:
    parts = load(container([STAT, HASH])).parts
    with pytest.raises(UsageError, match="needs a key"):
        parts.sort()
    parts.sort(key=lambda part: part.name)
    assert [part.name for part in parts] == ["HASH", "STAT"]


def test_parts_can_be_replaced_added_moved_and_removed() -> None:
    shader = load(container([STAT, PRIVATE]))
    shader.parts["PRIV"].value = b"longer than before"
    shader.parts.append(DxPart("MORE", b"new"))
    shader.parts.insert(0, DxPart("HASH", HASH[1]))
    del shader.parts[1]
    again = load(shader.to_bytes())
    assert [(part.name, part.data) for part in again.parts] == [
        HASH,
        ("PRIV", b"longer than before"),
        ("MORE", b"new"),
    ]
    assert again.digest_kind is DigestKind.RETAIL
    assert not again.diagnostics


def test_a_new_part_may_be_typed() -> None:
    part = DxPart("STAT")
    part.value = ShaderStatistics(instruction_count=5)
    shader = DxContainer([part])
    shader.sign()
    assert load(shader.to_bytes())["STAT"].instruction_count == 5


def test_a_part_from_its_value() -> None:
    part = DxPart("STAT", ShaderStatistics(instruction_count=5))
    assert part.data == struct.pack("<29I", 5, *bytes(28))
    with pytest.raises(UsageError, match="STAT: expected bytes or a ShaderStatistics or a P"):
        DxPart("STAT", 5)


def test_renaming_a_part_keeps_its_bytes() -> None:
    shader = load(container([ISGN, STAT]))
    assert shader["ISGN"].elements
    shader["STAT"].instruction_count = 7
    shader.parts["ISGN"].name = "OSGN"
    shader.parts["STAT"].name = "PRIV"
    again = load(shader.to_bytes())
    assert [element.name for element in again["OSGN"].elements] == ["POSITION", "TEXCOORD"]
    assert again["PRIV"] == struct.pack("<29I", 7, *range(1, 29)) == shader["PRIV"]


def test_offsets_are_updated_by_writing() -> None:
    shader = load(container([PRIVATE, STAT]))
    shader.parts["PRIV"].value = b"longer than before"
    shader.parts.append(DxPart("MORE", b"new"))
    again = load(shader.to_bytes())
    assert [part.offset for part in shader.parts] == [part.offset for part in again.parts]


def test_a_new_part_is_padded_as_its_neighbours() -> None:
    shader = load(container([("DXIL", bytes(8))]))
    shader.parts.append(
        DxPart("ISGN", ProgramSignature(elements=[SignatureElement(name="ABCD", mask=1)]))
    )
    made = shader.to_bytes()
    assert made.endswith(b"ABCD\0\0\0\0")
    assert unshade.from_data(shader.to_data()).to_bytes() == made


def test_values_other_than_parts_are_refused() -> None:
    shader = load(container([STAT]))
    shader.parts.append(STAT)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"expected a DxPart in parts"):
        shader.to_bytes()


def test_bytes_assigned_to_a_typed_part_are_decoded() -> None:
    shader = load(container([STAT]))
    assert shader["STAT"].instruction_count == 0
    shader.parts["STAT"].value = struct.pack("<29I", *[9] * 29)
    assert shader["STAT"].instruction_count == 9


@pytest.mark.parametrize(
    ("name", "words"), [("STAT", "bytes or a ShaderStatistics or a Program"), ("PRIV", "bytes")]
)
def test_values_of_the_wrong_type_are_refused(name: str, words: str) -> None:
    shader = load(container([STAT, PRIVATE]))
    with pytest.raises(UsageError, match=f"{name}: expected {words}, got 5"):
        shader.parts[name].value = 5


@pytest.mark.parametrize("name", ["ABC", "ABCDE", "日本語字"])
def test_invalid_part_names_are_refused(name: str) -> None:
    shader = load(container([STAT]))
    shader.parts[0].name = name
    shader.parts[0].value = b""
    with pytest.raises(UsageError, match="four-letter name"):
        shader.to_bytes()


def test_a_value_that_does_not_fit_is_named() -> None:
    shader = load(container([STAT]))
    shader["STAT"].temp_register_count = -1
    with pytest.raises(unshade.EncodeError, match="temp_register_count: -1 does not fit u32"):
        shader.to_bytes()


def test_a_stale_order_is_dropped() -> None:
    shader = load(container([STAT, ISGN, HASH], order=[2, 0, 1]))
    assert shader.order == [2, 0, 1]
    del shader.parts[0]
    again = load(shader.to_bytes())
    assert again.order is None
    assert [part.name for part in again.parts] == ["ISGN", "HASH"]
    assert unshade.from_data(shader.to_data()).to_bytes() == shader.to_bytes()


def test_a_malformed_part_stays_bytes_and_is_reported() -> None:
    data = container([("STAT", b"short"), ISGN])
    shader = load(data)
    assert shader["STAT"] == b"short"
    (found,) = shader.diagnostics
    assert found.code == "part.malformed"
    assert found.severity is Severity.ERROR
    assert found.offset == 40 + 8 + 4
    assert found.path == "STAT.temp_register_count"
    assert "expected 4 bytes for temp_register_count, got 1" in found.message
    assert isinstance(shader.parts[0].error, FormatError)
    assert shader.to_bytes() == data


def test_a_part_over_a_limit_stays_bytes_and_is_reported() -> None:
    shader = load(container([ISGN]), limits=Limits(string_size=3))
    assert isinstance(shader["ISGN"], bytes)
    (found,) = shader.diagnostics
    assert found.code == "part.limit"
    assert "string_size = 3" in found.message


def test_overlapping_fields_are_kept() -> None:
    """The name of the second row is the count of the rows itself: no edit could write both."""
    raw = bytearray(signature(("A", 0), ("B", 1)))
    raw[8 + 24 : 8 + 28] = (0).to_bytes(4, "little")
    data = container([("ISGN", bytes(raw))])
    shader = load(data)
    assert shader["ISGN"].elements[1].name == "\x02"
    assert shader.to_bytes() == data
    assert unshade.from_data(shader.to_data()).to_bytes() == data
    shader["ISGN"].elements[0].register = 5
    again = load(shader.to_bytes())
    assert again["ISGN"].elements[0].register == 5
    shader = load(container([("ISGN", bytes(raw) + b"nobody's")]))
    assert shader["ISGN"].elements[1].name == "\x02"
    shader["ISGN"].elements[0].register = 5
    assert shader.parts["ISGN"].data.endswith(b"nobody's")


def test_an_odd_layout_is_kept_through_an_edit() -> None:
    raw = signature(("A", 0), ("B", 1))
    odd = raw[:8] + (58).to_bytes(4, "little") + raw[12:32] + (56).to_bytes(4, "little") + raw[36:]
    shader = load(container([("ISGN", odd)]))
    assert [row.name for row in shader["ISGN"].elements] == ["B", "A"]
    shader["ISGN"].elements[0].name = "C"
    made = shader.parts["ISGN"].data
    assert made == odd.replace(b"B", b"C")


def test_extract() -> None:
    shader = load(container([PRIVATE, STAT, ("PRIV", b"second")]))
    assert shader.extract() == {"PRIV": b"private", "STAT": STAT[1], "PRIV.1": b"second"}


# -- digest --------------------------------------------------------------------------------------


def stored(data: bytes) -> bytes:
    return data[4:20]


@pytest.mark.parametrize("kind", [DigestKind.RETAIL, DigestKind.DEBUG])
def test_a_valid_digest_is_recomputed_after_an_edit(kind: DigestKind) -> None:
    shader = load(container([STAT], kind=kind))
    shader["STAT"].instruction_count = 1
    made = shader.to_bytes()
    assert stored(made) == digest(made[COVERED_FROM:], kind)
    assert load(made).digest_kind is kind


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        (DigestKind.NONE, bytes(16)),
        (DigestKind.BYPASS, b"\1" * 16),
        (DigestKind.PREVIEW_BYPASS, b"\2" * 16),
        (DigestKind.UNKNOWN, bytes(range(16))),
    ],
)
def test_any_other_digest_is_kept_after_an_edit(kind: DigestKind, raw: bytes) -> None:
    shader = load(container([STAT], kind=raw))
    assert shader.digest_kind is kind
    shader["STAT"].instruction_count = 1
    assert stored(shader.to_bytes()) == raw


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize("kind", [kind for kind in DigestKind if kind is not DigestKind.UNKNOWN])
def test_sign_makes_the_digest_valid(kind: DigestKind, edited: bool) -> None:
    shader = load(container([STAT], kind=kind, trailing=b"xyz"))
    if edited:
        shader["STAT"].instruction_count = 1
    shader.sign()
    made = shader.to_bytes()
    wanted = DigestKind.DEBUG if kind is DigestKind.DEBUG else DigestKind.RETAIL
    assert load(made).digest_kind is wanted
    assert made.endswith(b"xyz")
    shader["STAT"].instruction_count = 2
    assert load(shader.to_bytes()).digest_kind is wanted


def test_sign_after_a_wrong_digest() -> None:
    shader = load(container([STAT], kind=bytes(range(16))))
    shader.sign()
    assert load(shader.to_bytes()).digest_kind is DigestKind.RETAIL


@pytest.mark.parametrize("asked", [False, True])
def test_an_assigned_digest_is_written(asked: bool) -> None:
    shader = load(container([STAT, PRIVATE]))
    if asked:
        assert shader.digest_state == "retail"
    shader.digest = bytes(16)
    del shader.parts[1]
    assert shader.to_bytes()[4:20] == bytes(16)
    assert shader.digest_state == "none"
    with pytest.raises(UsageError, match="digest: expected 16 bytes"):
        shader.digest = b"short"


def test_a_digest_for_a_new_container() -> None:
    shader = DxContainer([DxPart(*STAT)])
    shader.digest = b"\1" * 16
    assert shader.digest_state == "bypass"
    assert load(shader.to_bytes()).digest_state == "bypass"


def test_the_digest_excludes_trailing_bytes() -> None:
    shader = load(container([STAT], trailing=b"xyz"))
    assert shader.digest_kind is DigestKind.RETAIL


def test_reading_computes_no_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    from unshade.formats.dxcontainer import digest as module

    def fail(*_: object) -> None:
        raise AssertionError("nobody asked")

    monkeypatch.setattr(module, "_compressor", fail)
    shader = load(BLOG)
    assert shader["STAT"].instruction_count == 8
    assert not shader.diagnostics
    assert shader.to_bytes() == BLOG


# -- plain data ----------------------------------------------------------------------------------

# fmt: off
BAD_DATA: list[tuple[str, object, str]] = [
    ("parts",    None,            "parts"),
    ("parts",    [5],             "parts[0]"),
    ("parts",    [{}],            "parts[0]"),
    ("parts",    [{"name": 5}],   "parts[0]"),
    ("parts",    [{"name": "AB", "data": ""}], "parts[0]"),
    ("parts",    [{"name": "日本語字", "data": ""}], "parts[0]"),
    ("parts",    [{"name": "PRIV", "data": "x"}], "parts[0].data"),
    ("parts",    [{"name": "PRIV", "gap": 5}], "parts[0].gap"),
    ("parts",    [{"name": "PRIV", "fields": {}}], "parts[0]"),
    ("parts",    [{"name": "STAT", "fields": {}}], "parts[0].STAT"),
    ("parts",    [{"name": [1]}], "parts[0]"),
    ("parts",    [{"name": "STAT", "fields": [1]}], "parts[0].STAT"),
    ("parts",    [{"name": "STAT", "feilds": {}}], "parts[0]"),
    ("parts",    [{"name": "STAT", "fields": {}, "data": ""}], "parts[0]"),
    ("trialing", "00",            ""),
    ("order",    [1],             "order"),
    ("order",    [0, 0],          "order"),
    ("version",  5,               "version"),
    ("version",  [1],             "version"),
    ("version",  [1, 70000],      "version"),
    ("size",     "5",             "size"),
    ("size",     -1,              "size"),
    ("order",    5,               "order"),
    ("order",    ["a"],           "order"),
    ("digest",   5,               "digest"),
    ("digest",   [],              "digest"),
    ("digest",   "00",            "digest"),
    ("digest",   "unknown",       "digest"),
    ("tail",     5,               "tail"),
    ("trailing", "x",             "trailing"),
]
# fmt: on


@pytest.mark.parametrize(("key", "value", "path"), BAD_DATA)
def test_invalid_plain_data_is_refused(key: str, value: object, path: str) -> None:
    data = load(container([STAT])).to_data()
    with pytest.raises(FormatError) as caught:
        unshade.from_data(data | {key: value})
    assert caught.value.path == path


def test_plain_data_omits_derived_values() -> None:
    data = load(container([PRIVATE])).to_data()
    assert data == {"format": "dxcontainer", "parts": [{"name": "PRIV", "data": b"private".hex()}]}


def test_plain_data_after_an_edit() -> None:
    shader = load(container([STAT]))
    shader["STAT"].instruction_count = 99
    again = unshade.from_data(shader.to_data())
    assert again.to_bytes() == shader.to_bytes()
    assert isinstance(again, DxContainer)
    assert again["STAT"].instruction_count == 99


# -- a shader inside larger data -----------------------------------------------------------------


def test_measure_find_and_open_at(tmp_path: Path) -> None:
    first, second = container([STAT, PRIVATE], tail=b"t"), container([ISGN])
    data = b"noise DXBC noise" + first + b"!" + second + b"DXBC"
    places = [16, 17 + len(first)]
    assert [tuple(found) for found in unshade.find(data)] == [
        (places[0], len(first), "dxcontainer"),
        (places[1], len(second), "dxcontainer"),
    ]
    path = tmp_path / "game.pak"
    path.write_bytes(data)
    for place, wanted in zip(places, (first, second), strict=True):
        assert unshade.open(path, offset=place).to_bytes() == wanted
        assert unshade.open(io.BytesIO(data), offset=place).to_bytes() == wanted
        assert DxContainer.measure(data[place:]) == len(wanted)
        assert DxContainer.measure(memoryview(data)[place:]) == len(wanted)


def test_find_continues_after_a_shader() -> None:
    inner = container([PRIVATE])
    outer = container([("PRIV", inner)])
    assert [found.offset for found in unshade.find(outer + inner)] == [0, len(outer)]
    broken = bytearray(outer)
    broken[28:32] = (5000).to_bytes(4, "little")
    assert [found.offset for found in unshade.find(bytes(broken))] == [44]


def test_find_in_nothing() -> None:
    assert list(unshade.find(b"")) == []
    assert list(unshade.find(b"DXB")) == []
    assert list(unshade.find(b"DXBC" * 100)) == []


# -- the article's file --------------------------------------------------------------------------


def test_the_blog_file() -> None:
    shader = load(BLOG)
    assert [part.name for part in shader.parts] == blog.PART_NAMES
    assert [part.offset for part in shader.parts] == [52, 268, 352, 440, 724]
    assert [part.size for part in shader.parts] == blog.PART_SIZES
    assert shader.digest_kind is DigestKind.RETAIL
    assert not shader.diagnostics
    assert shader.to_bytes() == BLOG


def test_the_blog_files_statistics() -> None:
    statistics = load(BLOG)["STAT"]
    values = [getattr(statistics, f.name) for f in statistics.layout.fields]
    assert {i: value for i, value in enumerate(values[:29]) if value} == blog.STATISTICS
    assert not any(values[29:]), "those are of shader model 5"
    assert statistics.instruction_count == 8
    assert statistics.temp_register_count == 1
    assert statistics.declaration_count == 4
    assert statistics.float_instruction_count == 4
    assert statistics.static_flow_control_count == 1
    assert statistics.mov_instruction_count == 3


def test_the_blog_files_signatures_and_resources() -> None:
    shader = load(BLOG)
    inputs, outputs = shader["ISGN"].elements, shader["OSGN"].elements
    assert [(row.name, row.register, row.mask) for row in inputs] == [
        ("POSITION", 0, 7),
        ("TEXCOORD", 1, 3),
    ]
    assert [(row.name, row.system_value, row.rw_mask) for row in outputs] == [
        ("SV_POSITION", 1, 0),
        ("TEXCOORD", 0, 12),
    ]
    rdef = shader["RDEF"]
    assert rdef.creator == blog.CREATOR
    (buffer,) = rdef.buffers
    (variable,) = buffer.variables
    assert (buffer.name, buffer.size) == ("$Globals", 64)
    assert (variable.name, variable.size, variable.flags) == ("WorldViewProjection", 64, 2)
    assert (variable.type.rows, variable.type.columns) == (4, 4)


def test_the_size_of_a_file_is_limited() -> None:
    check_size_is_limited(DxContainer.loads, BLOG)
