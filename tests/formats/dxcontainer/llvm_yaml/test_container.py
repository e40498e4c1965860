"""LLVM's YAML of whole containers: written as obj2yaml writes it, read as yaml2obj reads it."""

import pytest

import unshade
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.containers import container
from tests.fixtures.one_of_each import one_of_each
from unshade import FormatError, LimitError, UnsupportedError, UsageError
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.llvm_yaml import to_text
from unshade.limits import DEFAULT


def from_text(text: str) -> DxContainer:
    shader = unshade.from_yaml(text)
    assert isinstance(shader, DxContainer)
    return shader


HEAD = """--- !dxcontainer
Header:
  Hash:            [ 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0,\x20
                     0x0, 0x0, 0x0, 0x0, 0x0, 0x0 ]
  Version:
    Major:           1
    Minor:           0
"""
HASHED = """  PartCount:       2
Parts:
  - Name:            HASH
    Size:            20
    Hash:
      IncludesSource:  true
      Digest:          [ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0xB, 0xc, 015, 14, 15, 16 ]
  - Name:            FKE0
    Size:            3
...

# CHECK: a comment after the document
"""


def document(text: str) -> str:
    return HEAD + text


def test_read() -> None:
    shader = from_text(document(HASHED))
    assert [part.name for part in shader.parts] == ["HASH", "FKE0"]
    assert shader["HASH"].flags == 1
    assert shader["HASH"].digest == bytes(range(1, 17))
    assert shader["FKE0"] == bytes(3)
    assert shader.digest == bytes(16)
    assert unshade.loads(shader.to_bytes()).to_bytes() == shader.to_bytes()


def test_written_as_obj2yaml_does() -> None:
    text = unshade.to_yaml(from_text(document(HASHED)), "llvm")
    assert text == document(
        """  FileSize:        79
  PartCount:       2
  PartOffsets:     [ 40, 68 ]
Parts:
  - Name:            HASH
    Size:            20
    Hash:
      IncludesSource:  true
      Digest:          [ 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xA,\x20
                         0xB, 0xC, 0xD, 0xE, 0xF, 0x10 ]
  - Name:            FKE0
    Size:            3
...
"""
    )


def test_what_the_text_does_not_hold_is_said() -> None:
    text = to_text(unshade.loads(blog.build()))  # type: ignore[arg-type]
    notes = [line for line in text.splitlines() if line.startswith("# ")]
    assert any(line.startswith("# SHDR: its ") and "not in this text" in line for line in notes)
    made = from_text(text)
    assert len(made.to_bytes()) == len(blog.build())


@pytest.mark.parametrize("name", one_of_each())
def test_every_kind_of_part(name: str) -> None:
    data = one_of_each()[name]
    shader = unshade.loads(data)
    assert isinstance(shader, DxContainer)
    text = to_text(shader)
    made = from_text(text)
    assert [part.name for part in made.parts] == [part.name for part in shader.parts]
    assert len(made.to_bytes()) == len(data)
    if not text.startswith("#"):
        assert made.to_bytes() == data


def test_explicit_offsets_and_size_are_kept() -> None:
    shader = from_text(
        document(
            "  FileSize: 999\n  PartCount: 1\n  PartOffsets: [ 50 ]\n"
            "Parts:\n  - { Name: FKE0, Size: 4 }\n"
        )
    )
    assert shader.parts[0].gap == bytes(14)
    assert shader.declared_size == 999
    data = shader.to_bytes()
    assert data[24:28] == (999).to_bytes(4, "little")
    assert data[50:54] == b"FKE0"


def test_a_hash_is_kept_whatever_it_is() -> None:
    text = document(HASHED).replace("[ 0x0,", "[ 0x7,", 1)
    assert from_text(text).to_bytes()[4:8] == b"\7\0\0\0"


# fmt: off
BAD = [
    ("",                                              "expected a mapping"),
    ("[]",                                            "expected a mapping"),
    ("Header: 1\nParts: []",                          "expected a mapping"),
    ("Header: {}",                                    "expected the key 'Parts'"),
    ("Header: {}\nParts: []",                         "expected the key 'Hash'"),
    ("a: [",                                          "invalid YAML"),
]
BAD_PARTS = [
    ("PartCount: 2", "- { Name: FKE0, Size: 4 }",                "expected 1 parts, got 2"),
    ("PartCount: 1", "- { Name: FKE, Size: 4 }",                 "four-letter name"),
    ("PartCount: 1", "- { Name: FKE0, Size: -4 }",               "expected 0 to"),
    ("PartCount: 1", "- { Name: FKE0, Size: four }",             "expected a number, got 'four'"),
    ("PartCount: 1", "- { Name: FKE0, Size: [] }",               "expected a scalar"),
    ("PartCount: 1", "- { Name: FKE0, Sise: 4 }",                "expected the key 'Size'"),
    ("PartCount: 1", "- { Name: FKE0, Size: 4, Sigs: 1 }",       "unknown key 'Sigs'"),
    ("PartCount: 1", "- { Name: HASH, Size: 4, Hash: { IncludesSource: 1 } }",
                                                                 "expected true or false"),
    ("PartCount: 1", "- { Name: HASH, Size: 4, Hash: { IncludesSource: true, Digest: [ 1 ] } }",
                                                                 "expected 16 bytes, got 1"),
    ("PartCount: 1\n  PartOffsets: [ 8 ]", "- { Name: FKE0, Size: 4 }",
                                                                 "expected an offset from 36 on"),
    ("PartCount: 1\n  PartOffsets: [ ]", "- { Name: FKE0, Size: 4 }", "expected 1 offsets, got 0"),
]
# fmt: on


@pytest.mark.parametrize(("text", "message"), BAD)
def test_malformed_documents(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        from_text("--- !dxcontainer\n" + text)


@pytest.mark.parametrize(("header", "part", "message"), BAD_PARTS)
def test_malformed_parts(header: str, part: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        from_text(document(f"  {header}\nParts:\n  {part}\n"))


def test_sizes_are_not_allocated() -> None:
    with pytest.raises(LimitError):
        from_text(document("  PartCount: 1\nParts:\n  - { Name: FKE0, Size: 4294967295 }\n"))
    offsets = "  PartCount: 1\n  PartOffsets: [ 4294967295 ]\n"
    with pytest.raises(LimitError):
        from_text(document(offsets + "Parts:\n  - { Name: FKE0, Size: 4 }\n"))


@pytest.mark.parametrize(("allowed", "needed"), [(48, 0), (47, 48), (40, 48), (39, 40), (35, 36)])
def test_size_of_the_file_at_its_limit(
    allowed: int, needed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The part begins at 36, and has a header of 8 bytes and 4 bytes of data."""
    text = document("  PartCount: 1\nParts:\n  - { Name: FKE0, Size: 4 }\n")
    monkeypatch.setattr(DEFAULT, "file_size", allowed)
    if not needed:
        assert len(from_text(text).to_bytes()) == allowed
        return
    with pytest.raises(
        LimitError, match=f"file_size = {allowed} exceeded: the data needs {needed}"
    ):
        from_text(text)


def test_sources_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="SourceInfo"):
        from_text(document("  PartCount: 1\nParts:\n  - {Name: SRCI, Size: 4, SourceInfo: {}}\n"))


def test_a_part_table_in_another_order_is_refused() -> None:
    shader = unshade.loads(container([("FKE0", b"1234"), ("FKE1", b"5678")]))
    assert isinstance(shader, DxContainer)
    shader.order = [1, 0]
    with pytest.raises(UnsupportedError, match="order of the part table"):
        to_text(shader)


def test_other_dialects_and_formats_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown YAML dialect 'gcc' of dxcontainer: expected 'l"):
        unshade.to_yaml(unshade.loads(blog.build()), "gcc")
