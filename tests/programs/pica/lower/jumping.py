"""Random PICA200 programs with jumps, by seed.

    Jumping(seed)               jumps lead to statements with the same entries on the stacks
    Jumping(seed, wild=True)    jumps lead to any statement of the program

Each step adds a vector to r0 and swaps its components, so that the result depends on the order of
steps. r1.x counts steps: after `FUEL` no jump leads back. r1.y grows by r1.w, a number of the lane,
and is the operand of conditions.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from tests.programs.pica.lower.support import program

FUEL = 25
STATEMENTS = 40
COMPARISONS = ("gt", "lt", "ge", "le", "eq", "ne")
ANY = ("cmp.x", "!cmp.x", "cmp.y", "!cmp.y", "cmp.x && cmp.y", "cmp.x || cmp.y", "!cmp.x || cmp.y")
BACK = ("cmp.x", "cmp.x && cmp.y", "cmp.x && !cmp.y")


class Place(NamedTuple):
    """The place of a statement; `level` distinguishes places with other entries on the stacks."""

    number: int
    level: int
    loops: int
    ifs: int  # inside the innermost loop

    def inside(self, level: int, kind: str) -> Place:
        if kind == "for":
            return self._replace(level=level, loops=self.loops + 1, ifs=0)
        return self._replace(level=level, ifs=self.ifs + 1)


class Jumping:
    """A program, its uniforms, and a way to run it."""

    def __init__(self, seed: int, *, wild: bool = False) -> None:
        self.random = chance = random.Random(seed)
        self.left = STATEMENTS
        self.places: list[Place] = []
        self.jumps: dict[str, Place] = {}  # by the line that stands for one
        self.levels = 0
        self.calls: list[str] = []
        before: list[str] = []
        for number in range(chance.choice((0, 0, 1, 2))):
            before += [f".proc p{number}", *self._procedure(), "nop", ".end"]
            self.calls.append(f"p{number}")
        lines = ["mov r1.yzw, v0", *self._procedure(), "nop", "mov o0, r0"]
        body, before = ([self._jump(each, wild) for each in some] for some in (lines, before))
        self.program = program("\n".join(body), "\n".join(before))
        self.c: dict[int, tuple[float, ...]] = {1: (1.0, 0.0, 0.0, 0.0)}
        for number in range(2, 8):
            self.c[number] = float(FUEL), float(chance.randrange(40)), 0.0, 0.0
        for number in range(8, 40):
            self.c[number] = tuple(float(chance.randrange(-9, 99)) for _ in range(4))
        self.i = {
            n: (chance.randrange(4), chance.randrange(5), chance.randrange(3)) for n in range(4)
        }
        self.b = {n: chance.random() < 0.5 for n in range(4)}

    def _new(self) -> int:
        self.levels += 1
        return self.levels

    def _procedure(self) -> list[str]:
        return self._part(Place(0, self._new(), 0, 0), 9)

    def _part(self, place: Place, most: int = 4) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randrange(1, most)):
            lines += self._statement(place)
        return lines

    def _statement(self, place: Place) -> list[str]:
        chance = self.random
        self.left -= 1
        place = place._replace(number=len(self.places))
        self.places.append(place)
        lines = [f"at{place.number}:"]
        kind = chance.choice(self._kinds(place))
        if kind == "step":
            moving = place.loops and chance.random() < 0.5
            register = "c20[aL]" if moving else f"c{chance.randrange(8, 20)}"
            lines.append(f"add r0, {register}, r0.yzwx")
            return [*lines, "end"] if chance.random() < 0.05 else lines
        limit, how = f"c{chance.randrange(2, 8)}", chance.choice(COMPARISONS)
        lines += ["add r1.x, c1, r1", "add r1.y, r1.w, r1.y", f"cmp {limit}, gt, {how}, r1"]
        flags, uniform = chance.choice(ANY), f"b{chance.randrange(4)}"
        match kind:
            case "jump":
                lines.append(f"jump {place.number}")
                self.jumps[lines[-1]] = place
            case "break":
                lines.append(f"breakc {flags}")
            case "call":
                name = chance.choice(self.calls)
                some = f"call {name}", f"callc {flags}, {name}", f"callu {uniform}, {name}"
                lines.append(chance.choice(some))
            case "for":
                inner = place.inside(self._new(), kind)
                lines += [f"for i{chance.randrange(4)}", *self._part(inner), "nop", ".end"]
            case _:
                lines.append(chance.choice((f"ifc {flags}", f"ifu {uniform}")))
                lines += [*self._part(place.inside(self._new(), kind)), "nop"]
                if kind == "else":  # where the stacks have what they had before
                    lines += [".else", *self._part(place), "nop"]
                lines.append(".end")
        return lines

    def _kinds(self, place: Place) -> list[str]:
        kinds = ["step"] * 3 + ["jump"] * 4 + ["call"] * bool(self.calls)
        if self.left > 0 and place.ifs + place.loops < 4:
            kinds += ["if", "else", "else"] + ["for"] * (place.loops < 2)
        return kinds + ["break"] * (place.loops > 0 and not place.ifs)

    def _jump(self, line: str, wild: bool) -> str:
        """Return the line of a jump for its placeholder."""
        own, chance = self.jumps.get(line), self.random
        if own is None:
            return line
        to = chance.choice([each for each in self.places if wild or each.level == own.level])
        back = to.number <= own.number
        if not back and chance.random() < 0.3:
            return f"jmpu {chance.choice(('', '!'))}b{chance.randrange(4)}, at{to.number}"
        return f"jmpc {chance.choice(BACK if back else ANY)}, at{to.number}"
