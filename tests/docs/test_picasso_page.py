"""The page about picasso source has every directive and warning, and its statements are true."""

from pathlib import Path

import pytest

import unshade
from unshade.errors import AssembleError
from unshade.formats.shbin.picasso.directives import DIRECTIVES as ESCAPES
from unshade.programs.pica.assembler import DIRECTIVES
from unshade.programs.pica.assembler.rules import RULES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "formats" / "picasso.md"


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text("utf-8")


@pytest.mark.parametrize("name", [*DIRECTIVES, *ESCAPES])
def test_every_directive_is_there(name: str, page: str) -> None:
    assert f"`.{name}" in page


@pytest.mark.parametrize("rule", RULES)
def test_every_warning_is_there(rule: str, page: str) -> None:
    assert f"| `{rule}` |" in page


REFUSED = ["mov r0, R1", "mov r0, c5x", "mov r0, c08", "mov r0, c5[aL-1]", "mov r0, c5[x]",
           "mov r0, c95[1]", "mov r0, r0.", "setemit 0, prin"]  # fmt: skip
EXACT = ["setemit 3", "cmp r0, 6, 7, r1", "add r0, v1, v2", ".inst 0x4c201083",
         "breakc cmp.x {refy 0, num 3, target 9}", "nop {bits 0x8001}", "mova a0.xyzw, r1",
         "sge r0, r1, r2 {inverted}", "mov r0._, r1", "call 0x12, 3", "jmpc cmp.x, 0x12",
         "ifu b0, 0x12, 3", "for i0, 0x12", "mov o15, r0"]  # fmt: skip


@pytest.mark.parametrize("line", REFUSED)
def test_refused_sources(line: str) -> None:
    with pytest.raises(AssembleError):
        unshade.assemble(f".proc main\n{line}\nend\n.end")


@pytest.mark.parametrize("line", EXACT)
def test_directives_of_exact_text(line: str) -> None:
    unshade.assemble(f"; unshade shbin exact 1\n.gsh point c0\n.proc main\n{line}\nend\n.end")


ROWS = [".dvle end 0", ".constant 2 95 0x3f0000 0 0 0", ".output 7 3 0x3 0", '.symbol "main"',
        '.uniform 0x10 0x13 "projection"', '.label 0 0 23 0xffffffff "endmain"', ".header short",
        ".padded false", ".dvlb dvle_count 3", ".dvlp version 0x0c02", '.source "a.vert"',
        '.line 12 "a.vert"', ".trailing 00ff",
        ".opdesc 0 xyz, xyzw, -wzyx, xxxx", ".opdesc 0..127 _, xxxx, xxxx, xxxx",
        ".opdesc 0 x, xyzw, xyzw, xyzw, bits 0x80000000, high 0xf"]  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_rows_of_exact_text(row: str) -> None:
    unshade.assemble(f"; unshade shbin exact 1\n{row}\n.proc main\nend\n.end")
