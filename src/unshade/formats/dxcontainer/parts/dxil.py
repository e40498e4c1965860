"""DXIL and ILDB: the code of shader model 6. Header and bitcode are described in dxil.md."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeGuard

from ....lazy import attributes
from ....program import Program as AnyProgram
from ....rule import Rule
from .description import Category, LlvmForm, PartDescription
from .kind import ProgramKind

if TYPE_CHECKING:
    from ....model.facts import ProgramFacts
    from ....programs.dxil import Program

__all__ = [
    "KIND",
    "NAMES",
    "PARTS",
    "Program",
    "is_dxil",
    "rules",
    "version_token",
    "whole_facts",
]

NAMES = ("DXIL", "ILDB")  # ILDB has debug information

if not TYPE_CHECKING:  # a type checker has the import above
    __getattr__ = attributes(__name__, {"Program": "unshade.programs.dxil"})


def program_class() -> "type[Program]":
    """Return the class of programs, which takes longer to import than most files to read."""
    from ....programs.dxil import Program

    return Program


def is_dxil(value: object) -> "TypeGuard[Program]":
    """Return True if the value of a part is a program of this kind."""
    return isinstance(value, AnyProgram) and value.language == "dxil"


def version_token(value: object) -> bytes | None:
    """Return the version token of a program without encoding it, or None for other values."""
    if not is_dxil(value):
        return None
    return (value.version & 0xFFFF_FFFF).to_bytes(4, "little")


def whole_facts(program: "Program") -> "ProgramFacts":
    """Return the facts of the first entry point, or of a library without any."""
    from ....programs.dxil.facts import facts_of

    return facts_of(program)


def rules() -> Mapping[str, Rule]:
    """Return the rules of the programs that these parts can contain."""
    return program_class().rules()


KIND = ProgramKind(program_class)
RUNNING = PartDescription(
    "program, DXIL",
    Category.CODE,
    KIND,
    by_dxc=True,
    llvm=LlvmForm("Program", "programs:FORM"),
)
DEBUG = RUNNING._replace(
    title="program, DXIL with debug information",
    category=Category.DEBUG,
    loss="the program with lines and variables, for debuggers",
    repeats="the program with debug information",
    llvm=LlvmForm("Program", "programs:DEBUG_FORM"),
)
PARTS = dict(zip(NAMES, (RUNNING, DEBUG), strict=True))
