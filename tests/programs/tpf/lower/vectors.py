"""Test vectors of arithmetic instructions: rows of operands and results.

    Vector("udiv", "r1.x r2.x -> r0.x r5.x", "udiv r0.x, r5.x, r1.x, r2.x", [(7, 2, 3, 1), …])

Each row is a thread of one compute shader: it loads the row's numbers into the registers left of
the arrow, executes the line, and stores those on the right. Floats are 32 bits, D is 64, integers
are bits. `Near` allows a result to be some units in the last place away, where the rule does.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.programs.tpf.lower.support import GUARD, Words, bits, program, run, shown, words

INF = float("inf")
NAN = float("nan")


class Near(float):
    """A float that may be `ulps` units in the last place away, or `absolute` in all."""

    ulps: int = 2
    absolute: float = 0.0

    @classmethod
    def of(cls, number: float, ulps: int = 2, absolute: float = 0.0) -> "Near":
        found = cls(number)
        found.ulps, found.absolute = ulps, absolute
        return found


@dataclass(frozen=True, slots=True)
class Vector:
    """One instruction and its rows."""

    name: str
    registers: str
    line: str
    rows: list[tuple[Any, ...]]

    @property
    def opcodes(self) -> set[str]:
        """The operations under test: the instructions of the vector's own lines."""
        return {each.name for each in program(f"cs_5_0\n{self.line}\nret").instructions} - {"ret"}

    def __str__(self) -> str:
        return self.name


def components(registers: str) -> list[str]:
    """Split `r1.xy r2.x` into r1.x, r1.y, r2.x."""
    found = []
    for each in registers.split():
        name, _, letters = each.partition(".")
        found += [f"{name}.{letter}" for letter in letters]
    return found


def text_of(vector: Vector) -> str:
    """Return the compute shader that runs a vector, one thread for each row."""
    before, _, after = vector.registers.partition("->")
    given, taken = components(before), components(after)
    size, room = 4 * len(given), 4 * len(taken)
    lines = [
        "cs_5_0", "dcl_globalFlags refactoringAllowed", "dcl_resource_raw t0", "dcl_uav_raw u0",
        "dcl_input vThreadID.x", "dcl_temps 8", "dcl_thread_group 4, 1, 1",
        f"imul null, r7.x, vThreadID.x, l({size})",
    ]  # fmt: skip
    for at, register in enumerate(given):
        lines.append(f"iadd r7.y, r7.x, l({4 * at})")
        lines.append(f"ld_raw {register}, r7.y, t0.xxxx")
    for register in taken:
        if register not in given:
            lines.append(f"mov {register}, l({GUARD - 2**32})")
    lines.append(vector.line)
    lines.append(f"imul null, r7.x, vThreadID.x, l({room})")
    for at, register in enumerate(taken):
        lines.append(f"iadd r7.y, r7.x, l({4 * at})")
        lines.append(f"store_raw u0.x, r7.y, {register}")
    return "\n".join([*lines, "ret", ""])


def check(vector: Vector) -> None:
    """Run all rows and compare."""
    before, _, after = vector.registers.partition("->")
    count, room = len(components(before)), len(components(after))
    given: list[int] = []
    wanted: list[Any] = []
    for row in vector.rows:
        flat = [(word, number) for number in row for word in bits(number)]
        assert len(flat) == count + room, f"{vector}: {row}"
        given += [word for word, _ in flat[:count]]
        wanted += flat[count:]
    outcome = run(
        text_of(vector),
        memories={"t0": np.array(given, np.uint32), "u0": words(*[GUARD] * len(wanted))},
        groups=(-(-len(vector.rows) // 4), 1, 1),
    )
    compare(vector, outcome.memories["u0"], wanted)


def compare(vector: Vector, got: Words, wanted: list[tuple[int, Any]]) -> None:
    """Compare bit for bit, except numbers that may be near."""
    for at, (word, number) in enumerate(wanted):
        if isinstance(number, Near) and near(int(got[at]), number):
            got[at] = word
    room = len(components(vector.registers.partition("->")[2]))
    wrong = [at for at, (word, _) in enumerate(wanted) if got[at] != word]
    if wrong:
        at = wrong[0]
        row = vector.rows[at // room]
        raise AssertionError(
            f"{vector}: row {at // room} {row}, result {at % room} is {shown(got[at])},"
            f" {shown(wanted[at][0])} expected"
        )


def near(word: int, wanted: Near) -> bool:
    got = np.uint32(word).view(np.float32)
    distance = abs(float(got) - float(wanted))
    return bool(
        distance <= max(wanted.absolute, wanted.ulps * float(np.spacing(np.float32(wanted))))
    )
