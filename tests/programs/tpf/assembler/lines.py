"""Assembling lines of code into dwords or errors."""

from __future__ import annotations

import pytest

from unshade.errors import AssembleError
from unshade.programs.tpf import Instruction, Program
from unshade.programs.tpf.assembler import parse_instructions


def instruction(text: str) -> Instruction:
    (found,) = parse_instructions(text)
    return found


def dwords(text: str) -> list[int]:
    return instruction(text).encode()


def program(*lines: str, profile: str = "ps_5_0") -> Program:
    return Program.assemble("\n".join([profile, *lines]))


def refused(text: str) -> AssembleError:
    """Return the only error of one line of code."""
    with pytest.raises(AssembleError) as caught:
        parse_instructions(text)
    assert not caught.value.others
    return caught.value


def drawn(text: str) -> tuple[str, str]:
    """Return the problem of the only error and the line of its caret."""
    error = refused(text)
    place, shown, caret = str(error).split("\n")
    assert shown == f"    {text}"
    assert place == f"text:1:{error.column}: {error.problem}"
    return error.problem, caret.removeprefix("    ")


def program_errors(*lines: str, profile: str = "ps_5_0") -> list[tuple[int, str]]:
    """Return line and problem of each error of a program; the profile is line 1."""
    with pytest.raises(AssembleError) as caught:
        program(*lines, profile=profile)
    return [(error.line, error.problem) for error in caught.value.errors]
