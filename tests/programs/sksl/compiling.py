"""Compilation of small sources, for tests of the compiler."""

from typing import Any

from unshade.isa.source import Source
from unshade.programs.sksl import Program
from unshade.programs.sksl.assembler import Settings, compile, report, settings_of
from unshade.programs.sksl.tables.enumerations import SkslProgramKind
from unshade.programs.sksl.tree import ProgramUnit

MAIN = "half4 main(float2 p) {{ {} }}"
ES3 = "#version 300\n"


def unit_of(text: str, **settings: Any) -> ProgramUnit:
    """Return the tree of a source."""
    source = Source(text)
    return compile(source, settings_of(source)._replace(**settings))


def upstream(text: str, **settings: Any) -> str:
    """Return the program of a source as upstream prints it."""
    return Program(unit_of(text, **settings)).disassemble("upstream")


def value_of(expression: str, type_: str = "half4", **settings: Any) -> str:
    """Return an expression as it is after compilation, in a function that returns it."""
    parameters = "float x, half y, int i, bool b, float2 v, half4 c, float2x2 m"
    settings.setdefault("kind", SkslProgramKind.GENERIC)
    text = f"{ES3}{type_} f({parameters}) {{ return {expression}; }}"
    printed = upstream(text, **settings)
    return printed.partition("return ")[2].partition(";\n}")[0]


def messages(text: str, **settings: Any) -> list[str]:
    """Return the messages about a source, each with its line as upstream has it."""
    source = Source(text)
    given: Settings = settings_of(source)._replace(**settings)
    lines = report(source, given).splitlines()
    return [each.removeprefix("error: ") for each in lines if each.startswith("error: ")]


def problems_of(statements: str, **settings: Any) -> list[str]:
    """Return the messages about statements in `main`."""
    text = MAIN.format(f"{statements} return half4(0);")
    return [each.removeprefix("1: ") for each in messages(text, **settings)]
