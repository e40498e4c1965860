"""Vectors of all lanes split into vectors of 128 bits, on processors that have wider ones.

    %r3 = fadd <16 x float> %r1, %r2       %piece9 = fadd <4 x float> %piece1, %piece5
                                      ->   ...
                                           %piece12 = fadd <4 x float> %piece4, %piece8

LLVM uses each register that a processor has, and no feature of x86 excludes the upper halves of
AVX2's registers alone. So the text is rewritten line by line: an operation on independent lanes is
applied to pieces of four lanes (two lanes of 64 bits). Other instructions, such as shuffles, take
joined vectors, and their results are split; LLVM removes the detour.
"""

import re
from collections.abc import Callable, Iterator

LANES, BITS = 4, 128
TYPE_BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "half": 16, "float": 32,
             "double": 64, "ptr": 64, "i128": 128}  # fmt: skip
NAME = re.compile(r"%[\w.]+")
DEFINED = re.compile(r"  (%[\w.]+) = (.*)")
# Instructions on each lane by itself: the words before the first type.
BINARY = re.compile(
    r"((?:add|sub|mul|and|or|xor|shl|lshr|ashr|[us]div|[us]rem|fadd|fsub|fmul|fdiv|fneg|"
    r"[if]cmp \w+|select)(?: contract)?) (.*)"
)
BITS_OF = re.compile(r"bitcast <(\d+) x i1> (%[\w.]+) to (i\d+)")
CAST = re.compile(r"(\w+) (<\d+ x \w+>) (.*) to (<\d+ x \w+>)")
CALL = re.compile(r"call (\S+|<\d+ x \w+>) @(llvm\.[\w.]+)\((.*)\)")
LOAD = re.compile(r"load (<\d+ x \w+>), ptr (\S+), align (\d+)")
STORE = re.compile(r"  store (<\d+ x \w+>) (.*), ptr (\S+), align (\d+)")
PHI = re.compile(r"phi (<\d+ x \w+>) (.*)")
PLACE = re.compile(r"getelementptr (\w+), ptr (\S+), (<\d+ x \w+>) (.*)")
COMMA = re.compile(r",(?![^<]*>)")  # outside of the brackets of a vector
MASKED = ("llvm.masked.load", "llvm.masked.store")


def split_items(text: str) -> list[str]:
    """Return the items of a list, split at the commas outside of brackets."""
    if not any(letter in text for letter in "([{"):
        return [each.strip() for each in COMMA.split(text)]
    items, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "<({[") - (letter in ">)}]")
        if letter == "," and not depth:
            items.append(text[start:at].strip())
            start = at + 1
    return [*items, text[start:].strip()]


class Narrowing:
    """The lines of a function whose chunks have `width` lanes."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.lines: list[str] = []
        self.scalars: dict[str, str] = {}  # the type of a lane of each vector
        self.pieces: dict[str, list[str]] = {}  # the names of its pieces
        self.joined: dict[str, str] = {}  # vectors that exist as a whole, in the current block
        self.declared: dict[str, str] = {}
        self.count = 0
        self.vector = re.compile(rf"<{width} x (\w+)>")
        # By the first word of an instruction, how it is written, and what rewrites it.
        self.forms: dict[str, tuple[tuple[re.Pattern[str], Callable[..., bool]], ...]] = {
            "phi": ((PHI, self._phi),),
            "load": ((LOAD, self._load),),
            "call": ((CALL, self._call),),
            "getelementptr": ((PLACE, self._place),),
            "bitcast": ((CAST, self._cast), (BITS_OF, self._bits)),
        }
        self.usual = (BINARY, self._binary), (CAST, self._cast)

    # ------------------------------------------------------------ pieces

    def _lanes(self, *scalars: str) -> int:
        """Return the number of lanes in a piece of vectors of these types."""
        found = LANES
        for each in scalars:
            if TYPE_BITS[each] > BITS // LANES:
                found = min(found, BITS // TYPE_BITS[each])
        return max(2, found)

    def _new(self) -> str:
        self.count += 1
        return f"%piece{self.count}"

    def piece(self, operand: str, scalar: str, lanes: int, at: int) -> str:
        """Return some lanes of a vector: the piece with number `at`."""
        if operand.startswith("<"):
            return f"<{', '.join(split_items(operand[1:-1])[at * lanes : (at + 1) * lanes])}>"
        if operand not in self.scalars:
            return operand  # the same in all lanes
        own = self._lanes(scalar)
        if own == lanes:
            return self.pieces[operand][at]
        first, kind = at * lanes, f"<{own} x {scalar}>"
        order = ", ".join(f"i32 {(first + n) % own}" for n in range(lanes))
        name = self._new()
        self.lines.append(
            f"  {name} = shufflevector {kind} {self.pieces[operand][first // own]}, "
            f"{kind} poison, <{lanes} x i32> <{order}>"
        )
        return name

    def define(self, name: str, scalar: str, pieces: list[str], lanes: int) -> None:
        """Note the pieces of a new vector, joined to pieces of the usual size."""
        own = self._lanes(scalar)
        self.scalars[name] = scalar
        while lanes < own:
            kind, pairs = f"<{lanes} x {scalar}>", zip(pieces[::2], pieces[1::2], strict=True)
            pieces = [self._shuffled(kind, one, two, 2 * lanes) for one, two in pairs]
            lanes *= 2
        self.pieces[name] = pieces

    def _shuffled(self, kind: str, one: str, two: str, lanes: int, first: int = 0) -> str:
        order = ", ".join(f"i32 {first + n}" for n in range(lanes))
        name = self._new()
        self.lines.append(
            f"  {name} = shufflevector {kind} {one}, {kind} {two}, <{lanes} x i32> <{order}>"
        )
        return name

    def _whole(self, name: str) -> str:
        """Return a vector as a whole."""
        if name not in self.joined:
            scalar = self.scalars[name]
            lanes = self._lanes(scalar)
            pieces = self.pieces[name]
            while len(pieces) > 1:
                kind, pairs = f"<{lanes} x {scalar}>", zip(pieces[::2], pieces[1::2], strict=True)
                lanes *= 2
                pieces = [self._shuffled(kind, one, two, lanes) for one, two in pairs]
            self.joined[name] = pieces[0]
        return self.joined[name]

    # ------------------------------------------------------------ lines

    def line(self, line: str) -> None:
        """Rewrite a line."""
        if not line.startswith(" "):
            self.joined = {}  # a label: other blocks may lead here
        if not self.vector.search(line) and not any(
            each in self.scalars for each in NAME.findall(line)
        ):
            self.lines.append(line)
            return
        store = STORE.fullmatch(line)
        if store:
            self._store(*store.groups())
            return
        defined = DEFINED.fullmatch(line)
        name, right = defined.groups() if defined else ("", line.strip())
        for pattern, rewrite in self.forms.get(right.split(" ", 1)[0], self.usual):
            found = pattern.fullmatch(right)
            if found and rewrite(name, *found.groups()):
                return
        self._other(name, right)

    def _each(self, operands: list[str], more: tuple[str, ...] = ()) -> Iterator[list[str]]:
        """Yield operands ("type value") for each piece; `more` are types that limit its lanes."""
        typed = [(self.vector.match(each), each) for each in operands]
        lanes = self._lanes(*(found[1] for found, _ in typed if found), *more)
        for at in range(self.width // lanes):
            yield [
                f"<{lanes} x {found[1]}> "
                + self.piece(each[found.end() :].strip(), found[1], lanes, at)
                if found else each
                for found, each in typed
            ]  # fmt: skip

    def _scalar(self, llvm: str) -> str:
        found = self.vector.fullmatch(llvm)
        return found[1] if found else ""

    def _binary(self, name: str, instruction: str, rest: str) -> bool:
        operands = split_items(rest)
        first = self.vector.match(operands[0] if instruction != "select" else operands[1])
        if not first:
            return False
        if instruction == "select":
            typed = operands
        else:  # the type is written once
            typed = [operands[0], *(f"{first[0]} {each}" for each in operands[1:])]
        pieces = []
        for given in self._each(typed):
            text = given if instruction == "select" else [
                given[0], *(self._value(each) for each in given[1:])
            ]  # fmt: skip
            pieces.append(self._new())
            self.lines.append(f"  {pieces[-1]} = {instruction} {', '.join(text)}")
        made = "i1" if "cmp" in instruction else first[1]
        self.define(name, made, pieces, self.width // len(pieces))
        return True

    @staticmethod
    def _value(typed: str) -> str:
        return typed.split("> ", 1)[1]

    def _cast(self, name: str, instruction: str, source: str, a: str, target: str) -> bool:
        one, other = self._scalar(source), self._scalar(target)
        if not one or not other:
            return False
        pieces = []
        for (given,) in self._each([f"{source} {a}"], (other,)):
            lanes = given[1 : given.index(" ")]
            pieces.append(self._new())
            self.lines.append(f"  {pieces[-1]} = {instruction} {given} to <{lanes} x {other}>")
        self.define(name, other, pieces, self.width // len(pieces))
        return True

    def _bits(self, name: str, width: str, a: str, target: str) -> bool:
        """Set the bits of an integer, one for each lane, piece by piece."""
        if int(width) != self.width or a not in self.scalars:
            return False
        total = "0"
        for at in range(self.width // LANES):
            names = [self._new() for _ in range(3)]
            last = name if at == self.width // LANES - 1 else self._new()
            self.lines += [
                f"  {names[0]} = bitcast <{LANES} x i1> {self.pieces[a][at]} to i{LANES}",
                f"  {names[1]} = zext i{LANES} {names[0]} to {target}",
                f"  {names[2]} = shl {target} {names[1]}, {at * LANES}",
                f"  {last} = or {target} {total}, {names[2]}",
            ]
            total = last
        return True

    def _place(self, name: str, unit: str, pointer: str, index: str, a: str) -> bool:
        if not self._scalar(index):
            return False
        pieces = []
        for (given,) in self._each([f"{index} {a}"], ("ptr",)):
            pieces.append(self._new())
            self.lines.append(f"  {pieces[-1]} = getelementptr {unit}, ptr {pointer}, {given}")
        self.define(name, "ptr", pieces, self.width // len(pieces))
        return True

    def _moved(self, pointer: str, size: int) -> str:
        if not size:
            return pointer
        name = self._new()
        self.lines.append(f"  {name} = getelementptr i8, ptr {pointer}, i64 {size}")
        return name

    def _in_memory(self, scalar: str) -> bool:
        return bool(scalar) and TYPE_BITS[scalar] >= 8  # booleans are packed

    def _load(self, name: str, llvm: str, pointer: str, align: str) -> bool:
        scalar = self._scalar(llvm)
        if not self._in_memory(scalar):
            return False
        lanes, pieces = self._lanes(scalar), []
        size = lanes * TYPE_BITS[scalar] // 8
        for at in range(self.width // lanes):
            place = self._moved(pointer, at * size)
            pieces.append(self._new())
            self.lines.append(f"  {pieces[-1]} = load <{lanes} x {scalar}>, ptr {place}, "
                              f"align {min(int(align), size)}")  # fmt: skip
        self.define(name, scalar, pieces, lanes)
        return True

    def _store(self, llvm: str, value: str, pointer: str, align: str) -> None:
        scalar = self._scalar(llvm)
        if not self._in_memory(scalar):
            self._other("", f"store {llvm} {value}, ptr {pointer}, align {align}")
            return
        lanes = self._lanes(scalar)
        size = lanes * TYPE_BITS[scalar] // 8
        for at in range(self.width // lanes):
            piece = self.piece(value, scalar, lanes, at)
            place = self._moved(pointer, at * size)
            self.lines.append(f"  store <{lanes} x {scalar}> {piece}, ptr {place}, "
                              f"align {min(int(align), size)}")  # fmt: skip

    def _phi(self, name: str, llvm: str, ways: str) -> bool:
        scalar = self._scalar(llvm)
        if not scalar:
            return False
        lanes = self._lanes(scalar)
        self.scalars[name] = scalar
        pairs = [split_items(each[1:-1]) for each in split_items(ways)]
        self.pieces[name] = [self._new() for _ in range(self.width // lanes)]
        for at, piece in enumerate(self.pieces[name]):
            text = ", ".join(
                f"[{self.piece(value, scalar, lanes, at)}, {label}]" for value, label in pairs
            )
            self.lines.append(f"  {piece} = phi <{lanes} x {scalar}> {text}")
        return True

    def _call(self, name: str, result: str, function: str, args: str) -> bool:
        if f".v{self.width}" not in function:
            return False
        operands = split_items(args)
        made = self._scalar(result)
        pieces, more = [], (made,) if made else ()
        masked = function.startswith(MASKED)
        for at, given in enumerate(self._each(operands, more)):
            lanes = int(next(each for each in given if each.startswith("<"))[1:].split(" ")[0])
            if masked:
                number = next(n for n, each in enumerate(given) if each.startswith("ptr "))
                scalar = made or self.vector.match(operands[0])[1]  # type: ignore[index]
                given[number] = "ptr " + self._moved(
                    given[number][4:], at * lanes * TYPE_BITS[scalar] // 8
                )
            own = function.replace(f".v{self.width}", f".v{lanes}")
            kind = f"<{lanes} x {made}>" if made else result
            types = ", ".join(
                each[: each.index(">") + 1] if each[0] == "<" else each.split(" ")[0]
                for each in given
            )
            self.declared[own] = f"declare {kind} @{own}({types})"
            text = f"call {kind} @{own}({', '.join(given)})"
            if made:
                pieces.append(self._new())
                text = f"{pieces[-1]} = {text}"
            self.lines.append(f"  {text}")
        if made:
            self.define(name, made, pieces, self.width // len(pieces))
        return True

    def _other(self, name: str, right: str) -> None:
        """Write an instruction on whole vectors, and split its result."""
        text = NAME.sub(
            lambda found: self._whole(found[0]) if found[0] in self.scalars else found[0], right
        )
        self.lines.append(f"  {name} = {text}" if name else f"  {text}")
        scalar = self._result(right) if name else ""
        if scalar:
            kind, lanes = f"<{self.width} x {scalar}>", self._lanes(scalar)
            pieces = [
                self._shuffled(kind, name, "poison", lanes, at * lanes)
                for at in range(self.width // lanes)
            ]
            self.define(name, scalar, pieces, lanes)
            self.joined[name] = name

    def _result(self, right: str) -> str:
        """Return the type of a lane of an instruction's result; empty if it is no such vector."""
        word = right.split(" ", maxsplit=1)[0]
        if word in ("bitcast", "trunc", "zext", "sext", "ptrtoint"):
            return self._scalar(right.rsplit(" to ", 1)[1])
        if word in ("extractelement", "icmp", "fcmp", "extractvalue"):
            return ""
        if word == "shufflevector":  # as many lanes as the order has
            first, _, order = split_items(right)
            matched = re.match(r"shufflevector <\d+ x (\w+)>", first)
            return matched[1] if matched and order.startswith(f"<{self.width} x ") else ""
        found = self.vector.search(right)
        return found[1] if found and word in ("insertelement", "call", "load", "phi") else ""


def narrowed(lines: list[str], width: int) -> tuple[list[str], dict[str, str]]:
    """Return the lines of a function with narrow vectors, and the declarations that they need."""
    made = Narrowing(width)
    for line in lines:
        made.line(line)
    return made.lines, made.declared
