"""Inferred kinds of register contents: registers are untyped, the operations on them are not.

    ld_raw r0.x, …          unknown      ┐ one `ValueKind`, shared by all copies of the bits
    mov r1.x, r0.x                       │
    mul r2.x, r1.x, l(2.0)  a float      ┘ known for all copies as soon as one of them is used

The first operation that uses the bits as a type decides. A named value of the listing (in DXIL and
SPIR-V) has a type: it is a float, a condition or an integer, and operations only decide whether an
integer is signed.
"""

from ....ir.kernel import Value
from ....ir.ops import OPS

FLOAT, SIGNED, UNSIGNED, TRUTH = "float", "int", "uint", "bool"
BY_TYPE = {"f": FLOAT, "b": TRUTH}
WHOLE = (SIGNED, UNSIGNED)
# Operations on integers; their result is an integer or a condition.
INTEGERS = {
    **dict.fromkeys((OPS.iadd, OPS.isub, OPS.imul, OPS.ineg, OPS.imin, OPS.imax, OPS.ilt, OPS.ile,
                     OPS.ishl, OPS.ishr, OPS.idiv, OPS.irem, OPS.ieq, OPS.ine, OPS.itof), SIGNED),
    **dict.fromkeys((OPS.udiv, OPS.urem, OPS.umin, OPS.umax, OPS.ult, OPS.ule, OPS.ushr,
                     OPS.utof), UNSIGNED),
}  # fmt: skip
MADE = {OPS.ftoi: SIGNED, OPS.ftou: UNSIGNED}


class ValueKind:
    """The kind of some bits: float, int, uint or bool; "" while it is unknown.

    `whole` is true if the bits are an integer, which is shown as int until an operation decides the
    sign.
    """

    __slots__ = ("whole", "word")

    def __init__(self, word: str = "", *, whole: bool = False) -> None:
        self.word = word
        self.whole = whole

    def is_(self, word: str) -> None:
        """Set the kind, unless it is known."""
        if self.whole and word in WHOLE:
            self.word, self.whole = word, False
        self.word = self.word or word


class ValueKinds:
    """The kinds of registers, places and results in one lane."""

    def __init__(self) -> None:
        self.places: dict[str, ValueKind] = {}  # registers, places in memories
        self.values: dict[Value, ValueKind] = {}

    def at(self, place: str, word: str = "") -> ValueKind:
        """Return the kind of a register or of a place in a memory."""
        found = self.places.get(place)
        if found is None:
            found = self.places[place] = ValueKind(word)
        return found

    def of(self, value: Value) -> ValueKind:
        """Return the kind of a value; a new one for constants and values inside an instruction."""
        found = self.values.get(value)
        return found if found is not None else ValueKind(BY_TYPE.get(value.type.kind, ""))

    def named(self, value: Value) -> ValueKind:
        """Return the kind of a typed value that the listing names."""
        found = self.of(value)
        if value.label is not None and value.label.name is not None:
            word = BY_TYPE.get(value.type.kind, "")
            if not found.word:  # of all copies, such as the place that it was loaded from
                found.word, found.whole = word or SIGNED, not word
            elif found.word not in ((word,) if word else WHOLE):  # converted without an operation
                found = ValueKind(word or SIGNED, whole=not word)
        self.values[value] = found
        return found

    def step(self, value: Value, chosen: int) -> None:
        """Infer kinds from an operation; `chosen` is the condition of a `select`."""
        op = value.op
        if op is OPS.asfloat:
            self.of(value.args[0]).is_(FLOAT)
        elif op is OPS.asint:
            self.values[value] = ValueKind(FLOAT if value.args[0].type.size == 4 else "")
        elif op is OPS.select:
            self.values[value] = self._selected(value, chosen)
        elif op in INTEGERS:
            word = INTEGERS[op]
            for each in value.args:
                self.of(each).is_(word)
            if value.type.kind == "i":
                self.values[value] = ValueKind(word)
        elif op in MADE:
            self.values[value] = ValueKind(MADE[op])

    def _selected(self, value: Value, chosen: int) -> ValueKind:
        _, yes, no = value.args
        if yes.op is no.op is OPS.const:  # a condition in a register: 0 or -1
            return ValueKind(SIGNED)
        taken, other = (yes, no) if chosen else (no, yes)
        return self.of(taken if taken.op is not OPS.const else other)
