"""Kinds of register contents: the first operation that uses the bits as a type decides."""

from __future__ import annotations

from unshade.ir.kernel import Value
from unshade.ir.locations import SymbolName, ValueLabel
from unshade.ir.ops import OPS, Op
from unshade.ir.types import BOOL, F32, I32, Type
from unshade.vm.lockstep.debug.value_kinds import INTEGERS, ValueKind, ValueKinds


def raw(type: Type = I32) -> Value:
    """Return bits that a memory held."""
    return Value(OPS.load, type)


def after(op: Op, type: Type, *args: Value, chosen: int = 1) -> tuple[list[str], str]:
    """Return the kinds of the operands and of the result after an operation."""
    kinds = ValueKinds()
    for each in args:
        kinds.values.setdefault(
            each, ValueKind({"f": "float", "b": "bool"}.get(each.type.kind, ""))
        )
    result = Value(op, type, args)
    kinds.step(result, chosen)
    return [kinds.of(each).word for each in args], kinds.of(result).word


def test_operations_decide_on_operands_and_results() -> None:
    """Bits that become a float are one, and so are a float's bits; other integers have a sign."""
    assert after(OPS.asfloat, F32, raw()) == (["float"], "float")
    assert after(OPS.asint, I32, raw(F32)) == (["float"], "float")
    assert after(OPS.ftoi, I32, raw(F32)) == (["float"], "int")
    assert after(OPS.ftou, I32, raw(F32)) == (["float"], "uint")
    assert after(OPS.itof, F32, raw()) == (["int"], "float")
    assert after(OPS.utof, F32, raw()) == (["uint"], "float")
    unsigned = ("udiv", "urem", "umin", "umax", "ult", "ule", "ushr", "utof")
    wrong = [
        op.name
        for op, word in INTEGERS.items()
        if word != ("uint" if op.name in unsigned else "int")
        or after(op, I32, raw(), raw()) != ([word, word], word)
        or after(op, BOOL, raw(), raw()) != ([word, word], "bool")
    ]
    assert wrong == []
    assert after(OPS.and_, I32, raw(), raw()) == (["", ""], "")


def test_a_kind_that_is_known_stays() -> None:
    kinds = ValueKinds()
    bits = raw()
    kinds.values[bits] = kinds.at("r0.x")
    kinds.step(Value(OPS.asfloat, F32, (bits,)), 1)
    kinds.step(Value(OPS.iadd, I32, (bits, bits)), 1)
    assert kinds.at("r0.x").word == "float"
    assert kinds.at("r0.x", "uint").word == "float"
    assert kinds.at("r0.y", "uint").word == "uint"


def test_a_select_is_of_the_kind_that_it_takes() -> None:
    kinds = ValueKinds()
    condition, number, constant = raw(BOOL), raw(), Value(OPS.const, I32, attr=0)
    kinds.values[number] = ValueKind("float")
    other = raw()
    kinds.values[other] = ValueKind("uint")
    taken = []
    for yes, no, chosen in (
        (number, other, 1), (number, other, 0), (constant, number, 1), (number, constant, 0),
        (constant, constant, 1), (constant, constant, 0),
    ):  # fmt: skip
        result = Value(OPS.select, I32, (condition, yes, no))
        kinds.step(result, chosen)
        taken.append(kinds.values[result].word)
    assert taken == ["float", "uint", "float", "float", "int", "int"]


def test_named_values_have_a_type_and_operations_only_say_if_it_has_a_sign() -> None:
    def named(type: Type, known: ValueKind) -> tuple[ValueKinds, Value]:
        kinds = ValueKinds()
        value = Value(OPS.load, type, label=ValueLabel(SymbolName("a")))
        kinds.values[value] = known
        kinds.named(value)
        return kinds, value

    rows = [
        (I32, ValueKind(), "uint", "uint"), (I32, ValueKind(), "int", "int"),
        (I32, ValueKind(), "float", "int"), (F32, ValueKind(), "uint", "float"),
        (I32, ValueKind("float"), "uint", "uint"), (I32, ValueKind("uint"), "int", "uint"),
        (F32, ValueKind("int"), "int", "float"), (BOOL, ValueKind(), "int", "bool"),
    ]  # fmt: skip
    for type, known, used, word in rows:
        before = known.word
        kinds, value = named(type, known)
        kinds.of(value).is_(used)
        assert kinds.of(value).word == word, (type, before, used)
    unnamed = Value(OPS.load, I32)
    kinds = ValueKinds()
    assert kinds.named(unnamed).word == ""
