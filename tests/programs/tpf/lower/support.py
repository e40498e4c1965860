"""Programs as text, run by every engine that is installed, compared bit for bit.

    run(text, memories={"t0": words(1.0, 2.0)}, …).memories["u0"]

Expected values are written in the tests and come from no engine.
"""

import struct
from dataclasses import fields
from math import isnan
from typing import Any

import numpy as np

from tests.ir import running
from tests.ir.library.images import Image, Words, same, shown
from tests.ir.running import GUARD, Outcome
from unshade.ir.specialisation import Specialisation
from unshade.isa.source import ErrorList, Source
from unshade.programs.tpf.assembler import assemble
from unshade.programs.tpf.program import Program

__all__ = [
    "GUARD", "Image", "Outcome", "Words", "bits", "program", "run", "same", "shown", "words",
]  # fmt: skip

Number = int | float
QUIET = 0x7FC0_0000
OPTIONS = {each.name for each in fields(Specialisation)}


class D(float):
    """Return a 64-bit number as two words, the lower half first."""


def bits(number: Number) -> list[int]:
    """Return a number as 32-bit words: floats by their bits, integers as they are."""
    if isinstance(number, D):
        return list(struct.unpack("<2I", struct.pack("<d", number)))
    if isinstance(number, float):
        return [QUIET] if isnan(number) else [*struct.unpack("<I", struct.pack("<f", number))]
    return [number & 0xFFFF_FFFF]


def words(*numbers: Number) -> Words:
    """Return numbers as an array of dwords."""
    return np.array([word for number in numbers for word in bits(number)], np.uint32)


def program(text: str) -> Program:
    """Return a program from its listing."""
    mistakes = ErrorList()
    found = assemble(Source(text), mistakes)
    mistakes.check()
    return Program.of(found)


def run(text: str, **given: Any) -> Outcome:
    """Run a program with every engine, given what `running.run` takes, and options."""
    options = {name: given.pop(name) for name in OPTIONS & given.keys()}
    return running.run(program(text).lower(None, Specialisation(**options)), **given)
