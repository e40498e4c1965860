"""What bits stand for: registers have no types, the operations that go over them have.

    ld_raw r0.x, …          what is it?  ┐ one `Kind`, which goes where the bits are moved to
    mov r1.x, r0.x                       │
    mul r2.x, r1.x, l(2.0)  a float      ┘ and is known for all of them as soon as one is used

The first operation that takes the bits for something decides.
"""

from ....ir.kernel import Value
from ....ir.ops import OPS

FLOAT, SIGNED, UNSIGNED, TRUTH = "float", "int", "uint", "bool"
BY_TYPE = {"f": FLOAT, "b": TRUTH}
# What has integers for operands, and gives integers or a condition.
INTEGERS = {
    **dict.fromkeys((OPS.iadd, OPS.isub, OPS.imul, OPS.ineg, OPS.imin, OPS.imax, OPS.ilt, OPS.ile,
                     OPS.ishl, OPS.ishr, OPS.idiv, OPS.irem, OPS.ieq, OPS.ine, OPS.itof), SIGNED),
    **dict.fromkeys((OPS.udiv, OPS.urem, OPS.umin, OPS.umax, OPS.ult, OPS.ule, OPS.ushr,
                     OPS.utof), UNSIGNED),
}  # fmt: skip
MADE = {OPS.ftoi: SIGNED, OPS.ftou: UNSIGNED}


class Kind:
    """What some bits stand for, "" as long as nobody knows."""

    __slots__ = ("word",)

    def __init__(self, word: str = "") -> None:
        self.word = word

    def is_(self, word: str) -> None:
        """They are used as this."""
        self.word = self.word or word


class Kinds:
    """Kinds of what one lane's operations gave."""

    def __init__(self) -> None:
        self.places: dict[str, Kind] = {}  # registers, places in memories
        self.values: dict[Value, Kind] = {}

    def at(self, place: str, word: str = "") -> Kind:
        """What a place holds."""
        found = self.places.get(place)
        if found is None:
            found = self.places[place] = Kind(word)
        return found

    def of(self, value: Value) -> Kind:
        """What a value is; a constant, or what only lives in an instruction, is new each time."""
        found = self.values.get(value)
        return found if found is not None else Kind(BY_TYPE.get(value.type.kind, ""))

    def step(self, value: Value, chosen: int) -> None:
        """An operation was done; `chosen` is the operand that a `select` took."""
        op = value.op
        if op is OPS.asfloat:
            self.of(value.args[0]).is_(FLOAT)
        elif op is OPS.asint:
            self.values[value] = Kind(FLOAT if value.args[0].type.size == 4 else "")
        elif op is OPS.select:
            self.values[value] = self._selected(value, chosen)
        elif op in INTEGERS:
            word = INTEGERS[op]
            for each in value.args:
                self.of(each).is_(word)
            if value.type.kind == "i":
                self.values[value] = Kind(word)
        elif op in MADE:
            self.values[value] = Kind(MADE[op])

    def _selected(self, value: Value, chosen: int) -> Kind:
        _, yes, no = value.args
        if yes.op is no.op is OPS.const:  # a condition as a register holds it: 0 or -1
            return Kind(SIGNED)
        taken, other = (yes, no) if chosen else (no, yes)
        return self.of(taken if taken.op is not OPS.const else other)
