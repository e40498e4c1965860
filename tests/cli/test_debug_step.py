"""`unshade debug --step` on a program with sources: by lines, over calls, out of them, and back."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest

from tests.kernels import kernel_of
from tests.programs.tpf.lower.support import program
from tests.run import sources
from unshade.cli.debug_step import Stepping
from unshade.ir.specialisation import Specialisation
from unshade.vm.lockstep import Lockstep


@pytest.fixture
def stepping() -> Stepping:
    debugger = sources.kernel().debug(2)
    debugger.dispatch(1, {"in": np.arange(4, dtype="f4"), "out": np.zeros(4, "f4")})
    return Stepping(debugger, ())


def walk(stepping: Stepping, commands: str) -> list[int]:
    """Return the line of the listing where each command ends."""
    found = []
    for command in commands.split(","):
        word, _, rest = command.strip().partition(" ")
        stepping.command(word, rest)
        found.append(stepping.entries[stepping.at].line)
    return found


@pytest.mark.parametrize(
    ("commands", "lines"),
    [
        ("s, s, s, s, s", [4, 16, 13, 6, 4]),
        ("o, o, o", [4, 4, 8]),  # each round of a loop of one line
        ("s, s, o, u, o, o, o", [4, 16, 13, 6, 4, 8, 9]),
        ("s, s, u, pu", [4, 16, 13, 4]),
        ("s, s, s, ps, ps, ps", [4, 16, 13, 16, 4, 1]),
        ("n 4, po, po", [13, 4, 1]),
    ],
)
def test_steps_follow_source_lines(stepping: Stepping, commands: str, lines: list[int]) -> None:
    assert walk(stepping, commands) == lines


def test_unknown_commands_are_named(stepping: Stepping, capsys: pytest.CaptureFixture[str]) -> None:
    stepping.command("brake", "17")
    stepping.command("g", "")
    assert capsys.readouterr().out.splitlines() == [
        "  unknown command 'brake 17'; h: help",
        "  unknown command 'g'; h: help",
    ]
    stepping.command("h", "")
    assert "next instruction" in capsys.readouterr().out


def test_a_script_gets_no_prompts(
    stepping: Stepping, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("n\nq\n"))
    stepping.run()
    captured = capsys.readouterr()
    assert captured.out.startswith("-- 1 of ")
    assert captured.err == ""


def test_source_and_calls_are_shown(stepping: Stepping, capsys: pytest.CaptureFixture[str]) -> None:
    stepping.command("n", "3")
    out = capsys.readouterr().out
    assert "lib/shade.hlsl:1  float square(float x) { return x * x; }    // in square" in out
    stepping.command("k", "")
    assert capsys.readouterr().out.splitlines() == [
        "  0  lib/shade.hlsl:1 in square    float square(float x) { return x * x; }",
        "  1  lib/shade.hlsl:3 in shade    float twice = square(base);",
        "  2  lit.hlsl:5 in main    light = shade(light);",
    ]
    stepping.command("ls", "")
    assert capsys.readouterr().out.splitlines()[0] == (
        ">   1  float square(float x) { return x * x; }"
    )
    stepping.command("b", "lit.hlsl:7")
    assert "breakpoints: lit.hlsl:7 (1 hit)" in capsys.readouterr().out
    stepping.command("c", "")
    assert "    8  %4 = load %light" in capsys.readouterr().out
    stepping.command("u", "")
    assert "not inside a call" in capsys.readouterr().out
    stepping.command("x", "twice")
    assert capsys.readouterr().out.split()[:3] == ["%21", "twice", "25.0"]
    stepping.command("pw", "%21")
    assert "   16  %21 = fmul %x %x" in capsys.readouterr().out


def test_without_sources_a_step_is_an_instruction(
    stepping: Stepping, capsys: pytest.CaptureFixture[str]
) -> None:
    for entry in stepping.entries:
        entry.location = None
    assert walk(stepping, "s, o, ps") == [2, 4, 2]
    capsys.readouterr()
    stepping.command("k", "")
    assert "no source location" in capsys.readouterr().out
    stepping.command("ls", "")
    assert "no source: the program" in capsys.readouterr().out


FUNCTIONS = """cs_5_0
dcl_temps 1
dcl_thread_group 1, 1, 1
mov r0.x, l(0)
call l0
mov r0.x, l(3)
ret
label l0
mov r0.x, l(1)
mov r0.x, l(2)
ret
"""


def test_stepping_into_over_and_out_of_functions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lowered = program(FUNCTIONS).lower(None, Specialisation())
    debugger = kernel_of(lowered, None, Lockstep()).debug(0)
    debugger.dispatch(1)
    stepping = Stepping(debugger, ())
    assert walk(stepping, "s, s, s, s, ps, u") == [9, 10, 11, 6, 11, 6]
    assert walk(stepping, "po, o") == [4, 6]
    stepping.command("p", "2")
    stepping.command("k", "")
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "  0  line 10 in l0    mov r0.x, l(2)",
        "  1  line 5    call l0",
    ]
