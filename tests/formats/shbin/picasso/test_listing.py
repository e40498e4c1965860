"""A SHBIN as picasso source: declarations, rows, files; and what the exact dialect adds."""

from typing import Any

import pytest

import unshade
from tests.fixtures import shbin
from unshade.errors import UnsupportedError, UsageError
from unshade.formats.shbin import Dvlb, Dvle, Dvlp, Shbin
from unshade.formats.shbin.records import (
    BoolValue,
    Constant,
    FloatValue,
    IntValue,
    Label,
    Line,
    Output,
    Uniform,
    UnknownValue,
)
from unshade.programs.pica import Instruction
from unshade.vocab.float24 import from_float, source_text

V, C, I4, B = 0x00, 0x10, 0x70, 0x78


def word(name: str, **fields: int | str) -> int:
    return Instruction.make(name, **fields).word


END = word("end")
EMIT = word("setemit", vertex=1)
BEYOND = word("mov", dst="o8", src1="r0")  # which only a vertex shader has
MOVE = shbin.descriptors(shbin.ALL)


def made(*dvles: Dvle, code: list[int] | None = None, **more: Any) -> Shbin:
    given = {"code": [END] if code is None else code, "descriptors": MOVE} | more
    return Shbin(Dvlb(dvlp=Dvlp(**given), dvles=list(dvles)))


def vertex(**more: Any) -> Dvle:
    return Dvle(**({"version": 0x1002, "main": 0, "end": 1} | more))


def geometry(**more: Any) -> Dvle:
    return vertex(type=1, **more)


def again(shader: Shbin, dialect: str = "exact") -> bool:
    """Return whether the whole text and its files reproduce the file."""
    whole = unshade.assemble(shader.disassemble(dialect), "shbin").to_bytes()
    files = unshade.assemble(list(shader.listings(dialect).values()), "shbin").to_bytes()
    return whole == files == shader.to_bytes()


def head(shader: Shbin, dialect: str | None = None) -> list[str]:
    """Return the lines from the second to the first blank one."""
    text = shader.disassemble(dialect)
    return text.partition("\n\n")[0].splitlines()[1:]


def uniforms(*rows: tuple[str, int, int]) -> list[Uniform]:
    return [Uniform(symbol=name, start=start, end=end) for name, start, end in rows]


# ---------------------------------------------------------------- declarations


def test_a_shader_of_each_kind() -> None:
    rows = uniforms(("in1", V, V), ("m", C, C + 3), ("a.b", C + 6, C + 6), ("n", I4, I4 + 1),
                    ("b", B + 2, B + 2))  # fmt: skip
    outputs = [Output(type=0, register=0, mask=15), Output(type=3, register=1, mask=3)]
    shader = made(vertex(uniforms=rows, outputs=outputs, input_mask=1, output_mask=3))
    shader.dvlp.descriptors = []
    assert (
        shader.disassemble()
        == """; picasso -n
.in in1 v0
.fvec m[4]
.fvec _gap0[2]
.fvec a$b
.ivec n[2]
.bool _gap1[2]
.bool b
.out - position o0
.out - texcoord0 o1.xy

.proc main
	end
.end
"""
    )
    assert again(shader, "native")
    assert ".dvle" not in shader.disassemble("exact")


@pytest.mark.parametrize(
    ("dvle", "line"),
    [
        (geometry(), ".gsh point c0"),
        (geometry(uniforms=uniforms(("a", C + 9, C + 9))), ".gsh point c9"),
        (geometry(geometry_mode=1, variable_vertices=3), ".gsh variable c0 3"),
        (geometry(geometry_mode=2, fixed_start=8, fixed_vertices=4), ".gsh fixed c9 c8 4"),
        (geometry(outputs=[Output(type=9, mask=15)], output_mask=1), ".gsh"),
        (geometry(outputs=[Output(type=9, mask=15)], output_mask=1, flags=1), ".gsh point c0"),
    ],
)
def test_geometry_modes(dvle: Dvle, line: str) -> None:
    shader = made(dvle, descriptors=[])
    assert head(shader)[0] == line
    assert again(shader, "native")


def test_constants_keep_their_order() -> None:
    rows = [
        *shbin.constants(),
        Constant(type=2, id=3, data=FloatValue(value=[0x000001, 0x7F8000, 0xFF0000, 0x800000])),
    ]
    shader = made(vertex(constants=rows), descriptors=[])
    assert head(shader) == [
        ".setb b1 true",
        ".seti i2(3, 0, 1, 0)",
        ".setf c95(1.0, -1.0, 0.5, 0.0)",
        ".setf c3(1.08422e-19, 2.767012e+19, -inf, -0.0)"
        " ; x is subnormal, 0x000001, y is NaN, 0x7f8000",
    ]
    assert again(shader, "native")


def test_every_float_has_a_text() -> None:
    for bits in [*range(0, 1 << 24, 9973), 0x7F0001, 0x00FFFF, 0x010000, 0x7EFFFF, 0x3F0000]:
        text = source_text(bits)
        assert from_float(float(text), picasso=True) == bits
    assert [source_text(n) for n in (0x3F0000, 0xBE0000, 0, 0x800000)] == [
        "1.0", "-0.5", "0.0", "-0.0",
    ]  # fmt: skip


def test_outputs_that_picasso_has_to_place_itself() -> None:
    rows = [Output(type=9, register=n, mask=15) for n in range(10)]
    shader = made(vertex(outputs=rows, output_mask=0x3FF), descriptors=[])
    assert head(shader)[6:] == [
        ".out - dummy o6", ".out - dummy o7", ".out - dummy", ".out - dummy",
    ]  # fmt: skip
    assert again(shader, "native")


# ---------------------------------------------------------------- files


def two(first: Dvle, second: Dvle, code: list[int]) -> list[str]:
    """Return the names of the listed files, each followed by its procedures."""
    shader = made(first, second, code=code)
    assert again(shader)
    found = []
    for name, text in shader.listings().items():
        found.append(name)
        found += [line.strip() for line in text.splitlines() if ".proc" in line]
    return found


def test_a_file_for_each_dvle() -> None:
    assert two(vertex(), geometry(main=1, end=3), [END, EMIT, END]) == [
        ".0.v.pica", ".proc main", ".1.g.pica", ".proc main1",
    ]  # fmt: skip


def test_the_names_of_files() -> None:
    assert list(shbin.simple().listings()) == [".v.pica"]
    assert list(made(geometry()).listings()) == [".g.pica"]
    assert "; ==== file" not in shbin.simple().disassemble()
    assert "\n; ==== file 1.g.pica\n" in shbin.pair().disassemble()


def test_code_is_listed_with_the_dvle_that_runs_it() -> None:
    call = word("call", target=2, num=1)
    code = [call, END, word("nop"), END, word("nop")]
    assert two(vertex(end=2), vertex(main=3, end=4), code) == [
        ".0.v.pica", ".proc main", ".proc proc2", ".1.v.pica", ".proc main1", ".proc proc4",
    ]  # fmt: skip


def test_entries_in_another_order_than_the_dvles() -> None:
    assert two(vertex(main=1, end=2), vertex(main=0, end=1), [END, END]) == [
        ".0.v.pica", ".proc main1", ".proc main", ".1.v.pica",
    ]  # fmt: skip


def test_code_outside_every_dvle() -> None:
    code = [BEYOND, END, EMIT, END]
    assert two(geometry(end=2), geometry(main=2, end=4), code) == [
        ".0.v.pica", ".proc main", ".1.g.pica", ".2.g.pica", ".proc main1",
    ]  # fmt: skip


def test_a_procedure_with_a_jump_into_another_stays_with_it() -> None:
    code = [word("jmpu", target=2), END, END, END]
    assert two(vertex(end=2), vertex(main=2, end=4), code) == [
        ".0.v.pica", ".proc main", ".proc main1", ".1.v.pica",
    ]  # fmt: skip


def test_interleaved_uniforms_of_two_shaders() -> None:
    """One shader has c0 and c8, the other c4: all are declared before both."""
    first = vertex(uniforms=uniforms(("a", C, C + 3), ("c", C + 8, C + 8)))
    second = vertex(main=1, end=2, uniforms=uniforms(("b", C + 4, C + 5)))
    shader = made(first, second, code=[END, END], descriptors=[])
    files = shader.listings()
    assert list(files) == [".0.v.pica", ".1.v.pica", ".2.v.pica"]
    assert files[".0.v.pica"] == (
        "; picasso -n\n.nodvle\n.fvec a[4]\n.fvec b[2]\n.fvec _gap0[2]\n.fvec c\n"
    )
    assert again(shader, "native")
    assert ".uniform" not in shader.disassemble("exact")


def test_an_entry_past_the_end() -> None:
    shader = made(vertex(main=1, end=1), descriptors=[])
    text = ".entry main\n\n.proc proc0\n\tend\n.end\n.proc main\n.end\n"
    assert shader.disassemble() == f"; picasso -n\n{text}"
    assert again(shader, "native")


def test_no_code_at_all() -> None:
    shader = made(vertex(version=0, end=0), code=[], descriptors=[])
    assert shader.disassemble() == "; picasso -n\n.entry main\n\n.proc main\n.end\n"
    assert again(shader)
    assert again(made(code=[END]))
    assert again(made(code=[]))


def test_labels_name_code() -> None:
    labels = [Label(offset=0, symbol="start"), Label(offset=1, symbol="no name"),
              Label(offset=2, symbol="out")]  # fmt: skip
    code = [word("jmpc", target=2), word("jmpc", target=1), END]
    shader = made(vertex(version=0, end=0, labels=labels), code=code)
    text = shader.disassemble()
    assert ".entry start\n\n.proc start\n\tjmpc !cmp.x || !cmp.y, out\nlabel1:\n" in text
    assert again(shader)


# ---------------------------------------------------------------- exact


ODD = {
    "version": (vertex(version=0), [".dvle version 0"]),
    "type": (vertex(type=7), [".dvle type 7"]),
    "flags": (vertex(flags=3), [".dvle flags 3"]),
    "end": (vertex(end=7), [".dvle end 7"]),
    "entry": (vertex(main=9, end=2), [".dvle main 9", ".dvle end 2"]),
    "masks": (vertex(input_mask=3, output_mask=9), [".dvle input_mask 3", ".dvle output_mask 9"]),
    "mode": (
        vertex(geometry_mode=9, fixed_start=1),
        [".dvle geometry_mode 9", ".dvle fixed_start 1"],
    ),
    "counts": (vertex(label_count=0, symbol_size=0), []),
    "fixed": (
        geometry(geometry_mode=2, fixed_start=200, fixed_vertices=9),
        [".gsh fixed c95 c94 9", ".dvle fixed_start 200"],
    ),
    "labels": (
        vertex(labels=[Label(id=1, flag=2, offset=0, size=0xFFFFFFFF, symbol='a";\n:é')]),
        [r'.label 1 2 0 4294967295 "a\"\u003b\n:\u00e9"'],
    ),
    "outputs": (
        vertex(outputs=[Output(type=7, mask=15), Output(type=2, register=1, mask=0),
                        Output(type=2, register=7, mask=1), Output(type=2, mask=3, unknown_6=4),
                        Output(type=0, mask=12), Output(type=1, mask=12)], output_mask=1),
        [".output 7 0 0xf 0", ".output 2 1 0x0 0", ".output 2 7 0x1 0", ".output 2 0 0x3 4",
         ".out - position o0.zw", ".output 1 0 0xc 0"],
    ),
    "constants": (
        vertex(constants=[
            Constant(type=0, id=16, data=BoolValue(value=1)),
            Constant(type=0, id=1, data=BoolValue(value=2)),
            Constant(type=1, id=4, data=IntValue(value=[1, 2, 3, 4])),
            Constant(type=1, id=3, data=IntValue(value=[1, 2, 3, 4], unused=b"\1" + bytes(11))),
            Constant(type=2, id=96, data=FloatValue(value=[0, 0, 0, 1])),
            Constant(type=2, id=95, data=FloatValue(value=[0xFF000000, 0, 0, 1])),
            Constant(type=3, id=0, data=UnknownValue(value=[1, 2, 3, 4])),
        ]),
        [".constant 0 16 0x00000001 0 0 0", ".constant 0 1 0x00000002 0 0 0",
         ".constant 1 4 0x04030201 0 0 0", ".constant 1 3 0x04030201 0x00000001 0 0",
         ".constant 2 96 0 0 0 0x00000001", ".constant 2 95 0xff000000 0 0 0x00000001",
         ".constant 3 0 0x00000001 0x00000002 0x00000003 0x00000004"],
    ),
    "uniforms": (
        vertex(uniforms=uniforms(("b", C + 4, C + 7), ("a", C, C + 3))),
        [".alias b c4", ".alias a c0", '.uniform 0x14 0x17 "b"', '.uniform 0x10 0x13 "a"'],
    ),
    "names": (
        vertex(uniforms=uniforms(("no name", C, C), ("r0", C + 1, C + 1), ("_x", C + 2, C + 2),
                                 ("$", C + 3, C + 3), ("a", C + 9, C + 8), ("z", 0x90, 0x90))),
        [".alias _x c2", '.uniform 0x10 0x10 "no name"', '.uniform 0x11 0x11 "r0"',
         '.uniform 0x12 0x12 "_x"', '.uniform 0x13 0x13 "$"', '.uniform 0x19 0x18 "a"',
         '.uniform 0x90 0x90 "z"'],
    ),
    "symbols": (vertex(symbols=["left over", ""]), ['.symbol "left over"', '.symbol ""']),
}  # fmt: skip


@pytest.mark.parametrize("what", ODD)
def test_directives_of_exact_text(what: str) -> None:
    dvle, lines = ODD[what]
    shader = made(dvle, descriptors=[])
    if lines:
        assert [line for line in head(shader, "exact") if line != ".entry main"] == lines
    assert again(shader)
    unshade.assemble(shader.disassemble(), "shbin")


def test_directives_of_the_file() -> None:
    shader = made(vertex(version=0), descriptors=[], version=0x0C02, symbols=["a.vert"],
                  lines=[Line(file="a.vert", line=12)])  # fmt: skip
    shader.padded = True
    shader.trailing = bytes(range(40))
    assert head(shader, "exact") == [
        ".padded true",
        ".dvlp version 3074",
        '.source "a.vert"',
        '.line 12 "a.vert"',
        f".trailing {bytes(range(32)).hex()}",
        f".trailing {bytes(range(32, 40)).hex()}",
        ".entry main",
        ".dvle version 0",
    ]
    assert again(shader)


def test_short_headers() -> None:
    shader = made(vertex(version=0, end=0))
    shader.short_header = True
    shader.dvlp.unknown_18 = 5
    assert head(shader, "exact")[:2] == [".header short", ".dvlp unknown_18 5"]
    assert again(shader)


def test_an_unknown_layout() -> None:
    data = made(vertex(), descriptors=[]).to_bytes()
    dvle = int.from_bytes(data[8:12], "little")
    moved = data[:8] + (dvle + 4).to_bytes(4, "little") + data[12:dvle] + bytes(4) + data[dvle:]
    text = unshade.loads(moved).disassemble("exact")
    assert "\n.layout {" in text
    assert unshade.assemble(text).to_bytes() == moved


def test_fixtures_round_trip() -> None:
    for name in ("simple", "pair", "labelled", "short", "unpadded"):
        build = getattr(shbin, name, None)
        if build is not None:
            assert again(build())


def test_dialects() -> None:
    shader = shbin.simple()
    assert shader.disassemble("native") == shader.disassemble()
    assert shader.disassemble("exact").startswith("; unshade shbin exact 1\n")
    with pytest.raises(UsageError, match=r"unknown dialect 'asm' of \w+: expected native or exact"):
        shader.disassemble("asm")
    with pytest.raises(UnsupportedError, match="upstream"):
        shader.listings("upstream")
    with pytest.raises(UsageError, match="generation"):
        shader.disassemble(generation="9.30")
