"""Sources in picasso's language, made up by a seed: every directive, every instruction.

    sources(seed)  ->  [("0.v.pica", text), ("1.g.pica", text), …]

They are meant to be valid; a few are not, since registers run out, and those picasso refuses too.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

WIDE = ("add", "mul", "max", "min", "dp3", "dp4", "dph", "dst", "sge", "slt")
SECOND_FORM = ("dph", "dst", "sge", "slt", "dphi", "dsti", "sgei", "slti")
ONE = ("ex2", "lg2", "litp", "flr", "rcp", "rsq", "mov")
LETTERS = ("xyzw", "rgba", "stpq")
PIPELINE = ("position", "normalquat", "color", "texcoord0", "texcoord0w", "texcoord1", "texcoord2",
            "view", "pos", "nquat", "clr", "tcoord0", "tcoord0w", "tcoord1", "tcoord2")  # fmt: skip
FLOATS = ("0", "1.0", "-1", ".5", "3.14159265", "1e-5", "-2.5e+3", "0x1.8p1", "1e30", "-1e30",
          "inf", "-inf", "nan", "1.0842021724855044e-19", "1.5e-19", "-0.0", "1.9e19", "3e19",
          "1e-30", "65535.99", "1.0000076", "0x10", "100000000000000000000", "+7.25")  # fmt: skip
UNIFORMS = (".fvec", ".fvec", ".fvec", ".ivec", ".bool")
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
A0 = ("a0.x", "a0.y", "a0.xy", "a0", "a1", "a01")
INDEXES = ("a0.x", "a0.y", "aL", "a0", "a1", "a2", "lcnt", "AL", "A0.X")


@dataclass
class Names:
    """The declarations of a file: names of sources by kind."""

    float: list[tuple[str, int]] = field(default_factory=list)
    integer: list[tuple[str, int]] = field(default_factory=list)
    bool: list[tuple[str, int]] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    temporaries: list[str] = field(default_factory=list)


def sources(seed: int) -> list[tuple[str, str]]:
    """Return the files of one program as pairs of name and text."""
    return Maker(random.Random(seed)).program()


class Maker:
    """A generator of one program."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.shared: list[tuple[str, str, int]] = []
        self.procedures: list[str] = []
        self.count = 0

    def program(self) -> list[tuple[str, str]]:
        rng = self.rng
        files = rng.choice((1, 1, 1, 2, 2, 3))
        self.procedures = [f"p{n}" for n in range(rng.randrange(4))]
        self.shared = [
            (directive, self.new("u"), rng.choice((1, 1, 2, 4)) if directive != ".ivec" else 1)
            for directive in rng.choices(UNIFORMS, k=rng.randrange(5))
        ]
        left = list(self.procedures)
        found = []
        for number in range(files):
            kind = rng.choice(("vertex", "vertex", "vertex", "gsh", "legacy", "library"))
            if number == 0 and kind == "library":
                kind = "vertex"
            mine = left if number == files - 1 else left[: rng.randrange(len(left) + 1)]
            left = left[len(mine) :]
            found.append((f"{number}.pica", self.file(kind, number, mine)))
        return found

    def new(self, start: str) -> str:
        self.count += 1
        middle = self.rng.choice(("", "_", "$", "A"))
        return f"{start}{middle}{self.count}"

    def maybe(self, chance: float) -> bool:
        return self.rng.random() < chance

    # ------------------------------------------------------------ a file

    def file(self, kind: str, number: int, procedures: list[str]) -> str:
        rng = self.rng
        self.kind = kind
        self.names = Names()
        self.labels: list[str] = []
        self.waiting: list[str] = []
        lines: list[str] = []
        if kind == "library":
            lines.append(".nodvle")
        if kind == "gsh":
            first = rng.choice((0, 8, 48))
            mode = rng.choice((f"point c{first}", f"variable c{first} 3", "fixed c48 c8 4",
                               f"subdivision c0x{first:x} 0x2", "particle c30 c0 07"))  # fmt: skip
            lines.append(f".gsh {mode}")
        if kind == "legacy":
            lines.append(".gsh")
        lines += self.declarations()
        main = f"main{number}" if self.maybe(0.7) or number else "main"
        if main != "main":
            lines.append(f".entry {main}")
        order = [*procedures, main]
        rng.shuffle(order)
        for name in order:
            lines += self.procedure(name, ends=name == main)
        return "\n".join(self.dressed(line) for line in lines) + rng.choice(("", "\n"))

    def dressed(self, line: str) -> str:
        """Return a line in another spelling."""
        rng = self.rng
        if self.maybe(0.05):
            line += rng.choice((" ; a comment", ";x:y", "\t", "  ;", "\r"))
        if self.maybe(0.05):
            line = rng.choice(("\t", "  ", "\v")) + line
        if self.maybe(0.02):
            line = f'# {rng.randrange(1, 99)} "file.pica"\n{line}'
        if self.maybe(0.03) and line.strip() and not line.lstrip().startswith(("#", ";")):
            word, *rest = line.split(" ", 1)
            line = " ".join([word.upper() if ":" not in word else word, *rest])
        return line

    def declarations(self) -> list[str]:
        rng = self.rng
        lines: list[str] = []
        shared = [each for each in self.shared if self.maybe(0.7)]
        for directive, name, count in shared:
            lines.append(self.uniform(directive, [(name, count)]))
        for _ in range(rng.randrange(4)):
            directive = rng.choice((".fvec",) * 6 + (".ivec", ".bool"))
            sizes = (1, 1, 3, 5) if directive == ".fvec" else (1, 1, 1, 2)
            some = [(self.new(rng.choice(("u", "_h"))), rng.choice(sizes))
                    for _ in range(rng.choice((1, 1, 2)))]  # fmt: skip
            lines.append(self.uniform(directive, some))
        for _ in range(rng.randrange(3)):
            lines += self.constants()
        free = list(range(15))
        for _ in range(rng.randrange(4)):
            name = self.new("in")
            self.names.inputs.append(name)
            explicit = self.maybe(0.4)
            lines.append(f".in {name}" + (f" v{rng.choice(free)}" if explicit else ""))
        lines += self.outputs()
        for _ in range(rng.randrange(4)):
            lines.append(self.alias())
        return lines

    def uniform(self, directive: str, some: list[tuple[str, int]]) -> str:
        kind = {".fvec": self.names.float, ".ivec": self.names.integer, ".bool": self.names.bool}
        kind[directive] += some
        comma = self.rng.choice((", ", ",", " , "))
        declared = comma.join(f"{n}[{c}]" if c > 1 or self.maybe(0.1) else n for n, c in some)
        return f"{directive} {declared}"

    def constants(self) -> list[str]:
        rng = self.rng
        name = self.new("k")
        four = ", ".join(rng.choice(FLOATS) for _ in range(4))
        small = ",".join(str(rng.choice((0, 1, 7, 255, -1, 300, 16))) for _ in range(4))
        choice = rng.randrange(7)
        if choice == 0 and len(self.names.integer) < 2:
            self.names.integer.append((name, 1))
            return [f".consti {name}({small})"]
        if choice == 1:
            rows = [f".constfa ({four})" for _ in range(rng.randrange(1, 4))]
            size = rng.choice(("", str(len(rows)), str(len(rows) + 2)))
            self.names.float.append((name, len(rows)))
            return [f".constfa {name}[{size}]", *rows, ".end"]
        if choice == 2:
            return [f".setf c{rng.randrange(96)}({four})"]
        if choice == 3:
            return [f".seti i{rng.randrange(4)}({small})"]
        if choice == 4:
            truth = rng.choice(("true", "false", "on", "off", "1", "0", "True"))
            return [f".setb b{rng.randrange(16)} {truth}"]
        self.names.float.append((name, 1))
        return [f".constf {name}{rng.choice(('', ' '))}({four})"]

    def outputs(self) -> list[str]:
        rng = self.rng
        lines = []
        for number in range(rng.randrange(5)):
            name = self.new("out") if self.maybe(0.7) else "-"
            what = rng.choice((*PIPELINE, *["dummy"] * 3))
            mask = rng.choice(("", "", ".xy", ".xyz", ".rgb", ".p", ".yx", ".xzw"))
            register = f" o{number}{mask}" if self.maybe(0.3) else ""
            lines.append(f".out {name} {what}{'' if register else mask}{register}")
            if name != "-":
                self.names.outputs.append(name)
        if self.names.outputs and self.maybe(0.03):
            lines.append(f".out - texcoord0w {rng.choice(self.names.outputs)}.w")
        return lines

    def alias(self) -> str:
        rng = self.rng
        name = self.new("n")
        what = rng.randrange(4)
        if what == 0:
            target = f"o{rng.randrange(7)}"
            self.names.outputs.append(name)
            return f".alias {name} {target}{self.mask()}"
        sign = rng.choice(("", "", "-"))
        if what == 1:
            target = self.wide(index=False).replace(" ", "")
            self.names.float.append((name, 1))
            return f".alias {name} {sign}{target}{self.swizzle()}"
        target = rng.choice((f"r{rng.randrange(16)}", *self.names.temporaries))
        self.names.temporaries.append(name)
        return f".alias {name} {sign}{target}{self.swizzle()}"

    # ------------------------------------------------------------ operands

    def swizzle(self) -> str:
        if self.maybe(0.35):
            return ""
        letters = self.rng.choice(LETTERS)
        return "." + "".join(self.rng.choices(letters, k=self.rng.choice((1, 2, 3, 4, 4))))

    def mask(self) -> str:
        if self.maybe(0.4):
            return ""
        letters = self.rng.choice(LETTERS)
        chosen = [c for c in letters if self.maybe(0.5)] or [self.rng.choice(letters)]
        if self.maybe(0.05):
            self.rng.shuffle(chosen)
        return "." + "".join(chosen)

    def number(self, value: int) -> str:
        return self.rng.choice((str(value),) * 8 + (f"0x{value:x}", f"0{value:o}"))

    def destination(self) -> str:
        rng = self.rng
        if self.names.outputs and self.maybe(0.25):
            return rng.choice(self.names.outputs) + self.mask()
        if self.maybe(0.2):
            limit = 7 if self.kind in ("gsh", "legacy") else 16
            return f"o{rng.randrange(limit)}{self.mask()}"
        return f"r{self.number(rng.randrange(16))}{self.mask()}"

    def narrow(self, taken: list[str]) -> str:
        rng = self.rng
        sign = rng.choice(("", "", "-"))
        if not taken and self.maybe(0.3):
            name = rng.choice((*self.names.inputs, f"v{rng.randrange(15)}", "v14[1]"))
            taken.append(name)
            return sign + name + self.swizzle()
        if self.names.temporaries and self.maybe(0.2):
            return sign + rng.choice(self.names.temporaries) + self.swizzle()
        if self.maybe(0.1):
            return f"{sign}r{rng.randrange(8)}[{rng.randrange(8)}]{self.swizzle()}"
        return f"{sign}r{rng.randrange(16)}{self.swizzle()}"

    def wide(self, *, index: bool = True) -> str:
        rng = self.rng
        if self.names.float and self.maybe(0.7):
            name, count = rng.choice(self.names.float)
            if index and self.maybe(0.2):
                return f"{name}[{rng.choice(INDEXES) if name[0] in 'kn' else self.index()}]"
            return f"{name}[{rng.randrange(count)}]" if self.maybe(0.6) else name
        base = f"c{self.number(rng.randrange(80))}"
        if index and self.maybe(0.2):
            return f"{base}[{self.index()}]"
        return f"{base}[{rng.choice(('', ' '))}{rng.randrange(15)}]" if self.maybe(0.2) else base

    def index(self) -> str:
        plus = self.rng.choice(("", "", f"+{self.rng.randrange(9)}", f" + {self.rng.randrange(9)}"))
        return self.rng.choice(INDEXES) + plus

    def source(self, taken: list[str]) -> str:
        """Return a wide source."""
        if self.maybe(0.4):
            return self.narrow(taken)
        return self.rng.choice(("", "", "-")) + self.wide() + self.swizzle()

    def truth(self) -> str:
        if self.names.bool and self.maybe(0.7):
            name, count = self.rng.choice(self.names.bool)
            return f"{name}[{self.rng.randrange(count)}]" if count > 1 else name
        return f"b{self.rng.randrange(16)}"

    def whole(self) -> str:
        if self.names.integer and self.maybe(0.7):
            name, count = self.rng.choice(self.names.integer)
            return f"{name}[{self.rng.randrange(count)}]" if count > 1 else name
        return f"i{self.rng.randrange(4)}"

    def condition(self) -> str:
        rng = self.rng
        x, y = rng.choice(("", "!", "!!")) + "cmp.x", rng.choice(("", "!")) + "CMP.y"
        mark = rng.choice((" && ", "||", " & ", "|"))
        return rng.choice((x, y, x + mark + y, y + mark + x))

    # ------------------------------------------------------------ code

    def procedure(self, name: str, *, ends: bool) -> list[str]:
        body = self.block(self.rng.randrange(12), 0)
        for label in self.waiting:
            body.append(f"{label}:")
        self.waiting = []
        if ends and self.maybe(0.9):
            body.append("end")
        return [f".proc {name}", *body, ".end"]

    def block(self, length: int, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(length):
            lines += self.statement(depth)
            if self.waiting and self.maybe(0.4):
                lines.append(f"{self.waiting.pop()}:" + self.rng.choice(("", " nop")))
        return lines

    def statement(self, depth: int) -> list[str]:
        rng = self.rng
        choice = rng.random()
        if choice < 0.12 and depth < 4:
            return self.nested(depth)
        if choice < 0.2:
            return [self.leap(depth)]
        comma = rng.choice((", ", ", ", ",", " , "))
        return [self.plain(comma)]

    def nested(self, depth: int) -> list[str]:
        rng = self.rng
        body = self.block(rng.randrange(4), depth + 1)
        what = rng.randrange(3)
        if what == 0:
            return [f"for {self.whole()}", *body, ".end"]
        head = f"ifu {self.truth()}" if what == 1 else f"ifc {self.condition()}"
        if self.maybe(0.4):
            return [head, *body, ".else", *self.block(rng.randrange(4), depth + 1), ".end"]
        return [head, *body, ".end"]

    def leap(self, depth: int) -> str:
        rng = self.rng
        what = rng.randrange(6)
        if what < 3 and self.procedures:
            name = rng.choice(self.procedures)
            return (f"call {name}", f"callc {self.condition()}, {name}",
                    f"callu {self.truth()},{name}")[what]  # fmt: skip
        if what == 3 and depth:
            return rng.choice(("break", f"breakc {self.condition()}"))
        if what >= 4:
            if not self.labels or self.maybe(0.6):
                self.labels.append(self.new("l"))
                self.waiting.append(self.labels[-1])
            label = rng.choice(self.labels)
            return (f"jmpc {self.condition()}, {label}" if what == 4 else
                    f"jmpu {rng.choice(('', '!'))}{self.truth()}, {label}")  # fmt: skip
        return "nop"

    def plain(self, comma: str) -> str:
        rng = self.rng
        taken: list[str] = []
        if self.kind in ("gsh", "legacy") and self.maybe(0.15):
            flags = rng.choice(("", ", prim", ", inv", ", prim inv", ",primitive  invert"))
            return rng.choice(("emit", f"setemit {rng.randrange(3)}{flags}"))
        what = rng.randrange(8)
        if what == 0:
            return f"mova {rng.choice(A0)}{comma}{self.source(taken)}"
        if what == 1:
            x, y = rng.choice(COMPARISONS), rng.choice(COMPARISONS)
            return "cmp " + comma.join([self.source(taken), x, y, self.narrow(taken)])
        if what == 2:
            first, third = self.narrow(taken), self.narrow(taken)
            order = [self.destination(), first, self.source(taken), third]
            if self.maybe(0.4):
                order[2], order[3] = order[3], order[2]
            return f"{rng.choice(('mad', 'mad', 'madi'))} {comma.join(order)}"
        if what in (3, 4):
            return f"{rng.choice(ONE)} {self.destination()}{comma}{self.source(taken)}"
        if what == 5:
            pair = [self.narrow(taken), self.source(taken)]
            return f"{rng.choice(SECOND_FORM)} {comma.join([self.destination(), *pair])}"
        pair = [self.source(taken), self.narrow(taken)]
        return f"{rng.choice(WIDE)} {comma.join([self.destination(), *pair])}"
