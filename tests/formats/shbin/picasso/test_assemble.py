"""Sources of our own, assembled into files: the tables that picasso writes, and its bytes."""

import struct
from typing import Any

import pytest

import unshade
from unshade.errors import AssembleError, UsageError
from unshade.formats.shbin import Shbin
from unshade.formats.shbin.picasso.assemble import split
from unshade.isa.source import Source

VERTEX = """
; projects
.fvec projection[4], _hidden
.bool light$on
.constf half(0.5, 0.25, -1.0, 2.0)
.in position
.in normal v4
.out outpos position
.out outtex texcoord0.xy
.out - texcoord0w outtex.z
.proc main
	dp4 outpos.x, projection[0], position
	mov outpos.yzw, half
	mov outtex, normal
	end
.end
"""
GEOMETRY = """
.gsh fixed c16 c8 4
.fvec scale
.out - position
.out - dummy
.entry gmain
.proc gmain
	setemit 0, prim
	mul o0, c8, r0
	emit
	end
.end
"""


def assembled(*texts: str, **options: Any) -> Shbin:
    shader = unshade.assemble(list(texts), "shbin", **options)
    assert isinstance(shader, Shbin)
    return shader


def test_the_format_is_recognised() -> None:
    for text in (
        VERTEX,
        GEOMETRY,
        ".proc main\nend\n.end",
        "  .out - color\n.proc main\nend\n.end",
        ".PROC main\nEND\n.END",
    ):
        assert unshade.assemble(text).format == "shbin"


def test_the_tables() -> None:
    shader = assembled(VERTEX, GEOMETRY)
    vertex, geometry = shader.dvles
    assert (vertex.version, vertex.type, vertex.flags) == (0x1002, 0, 0)
    assert (vertex.main, vertex.end, vertex.input_mask, vertex.output_mask) == (0, 4, 0x11, 0b11)
    assert [(u.symbol, u.start, u.end) for u in vertex.uniforms] == [
        ("position", 0, 0),
        ("normal", 4, 4),
        ("projection", 0x10, 0x13),
        ("light.on", 0x78, 0x78),
    ]
    assert [(o.type, o.register, o.mask) for o in vertex.outputs] == [
        (0, 0, 15), (3, 1, 3), (4, 1, 4),
    ]  # fmt: skip
    assert [(c.type, c.id, c.data.value) for c in vertex.constants] == [
        (2, 95, [0x3E0000, 0x3D0000, 0xBF0000, 0x400000])
    ]
    assert (geometry.type, geometry.flags, geometry.main, geometry.end) == (1, 1, 4, 8)
    assert (geometry.geometry_mode, geometry.fixed_start, geometry.fixed_vertices) == (2, 8, 4)
    assert [(u.symbol, u.start) for u in geometry.uniforms] == [("scale", 0x20)]
    assert shader.dvlp.version == 0
    assert not shader.verify()


def test_the_bytes() -> None:
    """As picasso lays it out: header, code, descriptors, then each DVLE filled up to four."""
    data = assembled(".fvec ab\n.out - position\n.proc main\nmov o0.x, ab\nend\n.end").to_bytes()
    code = struct.pack("<2I", 0x13 << 26 | 0x20 << 12, 0x22 << 26)
    dvlp = struct.pack("<4s9I", b"DVLP", 0, 40, 2, 48, 1, 56, 0, 0, 0)
    descriptor = struct.pack("<Q", 8 | 0x1B << 5)
    header = struct.pack("<4s2H2I2H4B", b"DVLE", 0x1002, 0, 0, 2, 0, 1, 0, 0, 0, 0)
    tables = struct.pack("<10I", 64, 0, 64, 0, 64, 1, 72, 1, 80, 3)
    rows = struct.pack("<4HI2H", 0, 0, 15, 0, 0, 0x10, 0x10)
    dvle = header + tables + rows + b"ab\0\0"
    assert data == struct.pack("<4s2I", b"DVLB", 1, 68) + dvlp + code + descriptor + dvle


def test_uniforms_of_one_register_keep_their_order() -> None:
    shader = assembled(".in b v1\n.in a v1\n.in c v0\n.proc main\nend\n.end")
    assert [u.symbol for u in shader.dvles[0].uniforms] == ["c", "b", "a"]


def test_nops() -> None:
    text = ".proc main\nfor i0\ncall main\n.end\n.end"
    assert len(assembled(text).dvlp.code) == 4
    assert len(assembled(text, nops=False).dvlp.code) == 2
    assert len(assembled(f"; picasso -n\n{text}").dvlp.code) == 2
    assert len(assembled(f"; picasso -n\n{text}", nops=True).dvlp.code) == 4
    assert len(assembled(f"; unshade shbin exact 1\n{text}").dvlp.code) == 2


def test_several_files_in_one_text() -> None:
    text = f"; both\n; ==== file a.v.pica\n{VERTEX}\n; ==== file b.g.pica\n{GEOMETRY}"
    assert assembled(text).to_bytes() == assembled(VERTEX, GEOMETRY).to_bytes()


def test_a_file_before_the_first_separator() -> None:
    text = f"{VERTEX}\n; ==== file b.g.pica\n{GEOMETRY}"
    assert assembled(text).to_bytes() == assembled(VERTEX, GEOMETRY).to_bytes()


def test_errors_have_lines_of_the_whole_text() -> None:
    text = f"; ==== file a\n{VERTEX}\n; ==== file b\n{GEOMETRY.replace('gmain', 'other', 1)}"
    with pytest.raises(AssembleError) as caught:
        unshade.assemble(Source(text, "both.pica"))
    (error,) = caught.value.errors
    assert (error.file, error.line, error.column, error.width) == ("both.pica", 25, 8, 5)
    assert error.text == ".entry other"


def test_each_line_of_a_text_of_files_is_read() -> None:
    """The lines before the first separator, the last of a file, and the last of the text."""
    lines = [".out a", "; ==== file b", ".out b", ".out c", "; ==== file d", ".out d"]
    with pytest.raises(AssembleError) as caught:
        unshade.assemble("\n".join(f"{each} wrong" for each in lines), "shbin")
    assert [error.line for error in caught.value.errors] == [1, 3, 4, 6]
    (first, *_) = split(Source("\n".join(lines), "x.pica"))
    assert (first[0], first[1].lines[0]) == ("x.pica", ".out a")
    found = split(Source("; only\n; ==== file b \nnop", "x.pica"))
    assert [(name, [*each.lines]) for name, each in found] == [
        ("b", ["", "; ==== file b ", "nop"]),
    ]


def test_errors_of_several_files() -> None:
    sources = [Source(".proc main\nbad\n.end", "a.pica"), Source(".proc x\nworse\n.end", "b.pica")]
    with pytest.raises(AssembleError) as caught:
        unshade.assemble(sources, "shbin")
    assert [(each.file, each.line) for each in caught.value.errors] == [
        ("a.pica", 2),
        ("b.pica", 2),
    ]


def test_warnings_are_diagnostics() -> None:
    shader = assembled(".out - position\n.proc main\nmov o0, o1\nend\n.end")
    (warning,) = shader.diagnostics
    assert warning.code == "pica.source-output-read"
    assert warning.code in shader.rules()
    assert warning.message.startswith("text:3:9: o1 is an output and cannot be read; this means v1")


def test_options() -> None:
    with pytest.raises(UsageError, match="picasso text has no option 'nop'; did you mean nops"):
        assembled(VERTEX, nop=False)
    with pytest.raises(UsageError, match="expected no donor"):
        unshade.assemble(VERTEX, donor=assembled(VERTEX))


def test_another_version_of_the_dialect() -> None:
    with pytest.raises(AssembleError) as caught:
        unshade.assemble("; unshade shbin exact 2\n.proc main\nend\n.end")
    assert str(caught.value) == (
        "text:1:1: expected version 1 of the dialect at most, got 2\n"
        "    ; unshade shbin exact 2\n    ^~~~~~~~~~~~~~~~~~~~~~~"
    )


def test_an_edit_changes_only_its_word() -> None:
    shader = assembled(VERTEX, GEOMETRY)
    text = shader.disassemble().replace("mul o0, c8, r0", "mul o0, c9, r0")
    changed = assembled(text)
    assert [i for i, pair in enumerate(zip(shader.dvlp.code, changed.dvlp.code, strict=True))
            if pair[0] != pair[1]] == [5]  # fmt: skip
    changed.dvlp.code = list(shader.dvlp.code)
    assert changed.to_bytes() == shader.to_bytes()
