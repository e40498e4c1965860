"""The listing of a program: blocks, instructions issued together, source lines, variables."""

from __future__ import annotations

import struct

from tests.programs.d3d9.programs import PIXEL_2_0, PIXEL_2_0_TEXT, assembled, packed
from unshade.programs.d3d9.code import Code, Comment
from unshade.programs.d3d9.debug import debug_info
from unshade.programs.d3d9.text import linked_lines, slots_line
from unshade.wire import write

BLOCKS = """\
    ps_3_0
    if b0
      rep i0
        if_gt r0.x, c0.x
          break_lt r0.y, c0.x
        else
          mov r0, c0
        endif
      endrep
    endif
    mov oC0, r0
"""
TOGETHER = """\
    ps_1_4
    texld r0, t0
    phase
    mul r0.xyz, r0, c0
  + mov_x2 r0.w, c0.z
"""


def listed(code: Code) -> str:
    return "\n".join([*linked_lines(code), ""])


def test_a_program() -> None:
    code = Code.decode(packed(*PIXEL_2_0))
    assert listed(code) == PIXEL_2_0_TEXT
    assert slots_line(code) == (
        "// approximately 3 instruction slots used (1 texture, 2 arithmetic)"
    )
    assert assembled(PIXEL_2_0_TEXT).encode() == packed(*PIXEL_2_0)


def test_blocks_are_indented() -> None:
    code = assembled(BLOCKS)
    assert listed(code) == BLOCKS
    assert slots_line(code) == "// approximately 19 instruction slots used"


def test_instructions_issued_together() -> None:
    code = assembled(TOGETHER)
    assert listed(code) == TOGETHER
    assert [each.token.coissue for each in code.instructions] == [0, 0, 0, 1]


def test_a_superfluous_end_does_not_move_the_margin() -> None:
    assert listed(assembled("vs_3_0\nendif\nmov r0, c0")) == (
        "    vs_3_0\n    endif\n    mov r0, c0\n"
    )


def test_exponents_of_older_listings() -> None:
    code = assembled("ps_2_0\ndef c0, 1e-5, 1e20, 1, inf")
    text = linked_lines(code)[1]
    assert text == "    def c0, 9.99999975e-06, 1.00000002e+20, 1, inf"
    old = linked_lines(code, wide_exponents=True)[1]
    assert old == "    def c0, 9.99999975e-006, 1.00000002e+020, 1, inf"
    assert assembled(f"ps_2_0\n{old}").encode() == code.encode()


def with_debug(code: Code, lines: list[tuple[int, int]], writes: list[int]) -> Code:
    """Return the code with a DBUG comment: (line, file) of each instruction; a variable `main::v`.

    `writes` are the numbers of the instructions that write x and y of the variable.
    """
    names = b"a.hlsl\0b.hlsl\0main\0v\0\0\0\0"
    start = 40
    files = start + len(names) + (-len(names) % 4)
    table = files + 8
    variable = table + 8 * len(lines)
    refs = variable + 20
    size = 8 + refs + 12 * len(writes)
    at = [each + size - 0 for each in code.offsets()]
    made = struct.pack("<10I", 40, start, 0, 2, files, len(lines), table, 1, variable, start + 14)
    made += names + b"\0" * (-len(names) % 4)
    made += struct.pack("<2I", start, start + 7)
    for (line, file), offset in zip(lines, at, strict=True):
        made += struct.pack("<HHI", line, file, offset)
    made += struct.pack("<5I", 0, start + 19, 0, len(writes), refs)
    for each in writes:
        made += struct.pack("<I4H", each, 0, 1, 0xFFFF, 0xFFFF)
    assert len(made) + 8 == size
    return Code(code.version, code.instructions, [Comment(b"DBUG" + made)])


def test_source_lines_and_variables() -> None:
    code = assembled("ps_2_0\nmov r0, c0\nmov r1, c1\nmov r2, c2\nmov r3, c3\nmov oC0, r0")
    known = with_debug(code, [(0, 0xFFFF), (10, 0), (12, 0), (15, 0), (15, 1)], [1, 4])
    assert Code.decode(known.encode()).encode() == known.encode()
    assert (
        listed(known)
        == """\
    ps_2_0
    mov r0, c0

#line 10 "a.hlsl"
    mov r1, c1  // ::v<0,1>
    mov r2, c2

#line 15
    mov r3, c3

#line 15 "b.hlsl"
    mov oC0, r0  // ::v<0,1>
"""
    )  # two lines on is near, three are not
    debug = debug_info(known)
    assert debug is not None
    assert (debug.entry, debug.creator) == ("main", "a.hlsl")
    assert write(debug) != b""


def test_malformed_debug_information_is_left_out() -> None:
    code = assembled("ps_2_0\nmov oC0, c0")
    code.comments = [Comment(b"DBUG" + struct.pack("<10I", *[0x7000_0000] * 10))]
    assert debug_info(code) is None
    assert listed(code) == "    ps_2_0\n    mov oC0, c0\n"


def test_lines_are_linked_to_fields() -> None:
    found = [getattr(each, "paths", ()) for each in linked_lines(Code.decode(packed(*PIXEL_2_0)))]
    assert found[0] == ("version",)
    assert found[1:] == [(f"instructions[{i}]",) for i in range(6)]
