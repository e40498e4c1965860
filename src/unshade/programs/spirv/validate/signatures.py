"""Signatures: the types of results and operands, as rows that one check reads.

TypeSignature("float svcn", "same", "same")
TypeSignature("int sv", "int sv, count, width", "int s, const")

float svcn     a pattern (types.py) of the type
same           the type is the result type; "same 1": the type of operand 1
count          as many components as the result; "count 1": as operand 1
width          components as wide as the result's; "width 1": as operand 1's
const          the operand is a constant
part           the type of the result's components
whole          its components are of the result type
to same        a pointer to the result type; "to int32 sv": to a type that fits a pattern
(nothing)      any operand
"""

from functools import cache

from ....tuples import NamedTuple
from .instruction import Inst
from .state import State

__all__ = ["TypeSignature", "check_signature"]


class TypeSignature(NamedTuple):
    """The types of a result and of the operands after it; missing types are not checked."""

    result: str
    operands: tuple[str, ...]
    vuid: str = ""

    @classmethod
    def of(cls, result: str, *operands: str) -> "TypeSignature":
        """Return a signature."""
        return cls(result, operands)


class _Demand(NamedTuple):
    pattern: str = ""
    same: int = -1
    components: int = -1
    width: int = -1
    constant: bool = False
    part: bool = False
    whole: bool = False
    to: str = ""


RESULT = 100  # stands for the result where operands are counted


@cache
def _demand(text: str) -> _Demand:
    found = _Demand()
    for each in text.split(", "):
        word, _, number = each.partition(" ")
        at = int(number) if number.isdigit() else RESULT
        match word:
            case "":
                pass
            case "same":
                found = found._replace(same=at)
            case "count":
                found = found._replace(components=at)
            case "width":
                found = found._replace(width=at)
            case "const":
                found = found._replace(constant=True)
            case "part":
                found = found._replace(part=True)
            case "whole":
                found = found._replace(whole=True)
            case "to":
                found = found._replace(to=number)
            case _:
                found = found._replace(pattern=each)
    return found


FORMS = {
    "s": "scalar", "v": "vector", "m": "matrix", "c": "cooperative matrix",
    "n": "cooperative vector",
}  # fmt: skip


@cache
def described(pattern: str) -> str:
    """Return a pattern in words: "a scalar or vector of float"."""
    found = []
    for each in pattern.split("|"):
        base, forms = each.split()
        count = forms.lstrip("svmcn")
        names = [FORMS[form] for form in forms if form in "svm"] or [FORMS[forms[0]]]
        found.append(f"a {' or '.join(names)} of {count}{' ' if count else ''}{base}")
    return " or ".join(found)


def check_signature(
    state: State, inst: Inst, signature: TypeSignature, first: int = 0, codes: str = "spirv"
) -> bool:
    """Check an instruction against its signature; `first` is the number of its first operand.

    Returns:
        True if it fits.
    """
    types = state.types
    good = True
    if signature.result and not types.fits(inst.type, signature.result):
        state.report(
            f"{codes}.result-type", inst, f"expected {described(signature.result)} as result",
            signature.vuid,
        )  # fmt: skip
        good = False
    for number, text in enumerate(signature.operands, first):
        if not text:
            continue
        if number >= inst.count:
            break
        message = _wrong(state, inst, number, _demand(text), first)
        if message:
            name = inst.operands[number].name or f"Operand {number + 1}"
            code = "operand-constant" if message == CONSTANT else "operand-type"
            state.report(f"{codes}.{code}", inst, f"{name}: {message}", signature.vuid)
            good = False
    return good


CONSTANT = "expected a constant"


def _wrong(state: State, inst: Inst, number: int, demand: _Demand, first: int) -> str:
    types = state.types
    id_ = inst.word(number)
    type_ = state.type_of(id_)

    def other(at: int) -> int:
        return inst.type if at == RESULT else state.operand_type(inst, at + first)

    def called(at: int) -> str:
        return "the result" if at == RESULT else f"operand {at + first + 1}"

    if demand.pattern and not types.fits(type_, demand.pattern):
        return f"expected {described(demand.pattern)}"
    if demand.same >= 0 and type_ != other(demand.same):
        return f"expected the type of {called(demand.same)}"
    if demand.components >= 0 and types.count(type_) != types.count(other(demand.components)):
        return f"expected as many components as {called(demand.components)} has"
    if demand.width >= 0 and types.width(type_) != types.width(other(demand.width)):
        return f"expected components as wide as those of {called(demand.width)}"
    if demand.part and type_ != types.component(inst.type):
        return "expected the type of the result's components"
    if demand.whole and types.component(type_) != inst.type:
        return "expected components of the result type"
    if demand.to:
        return _wrong_pointer(state, inst, type_, demand.to)
    if demand.constant and not state.is_constant(id_):
        return CONSTANT
    return ""


def _wrong_pointer(state: State, inst: Inst, type_: int, to: str) -> str:
    pointer = state.types.pointer(type_)
    if pointer is None:
        return "expected a pointer"
    if to == "same":
        return "" if pointer[1] == inst.type else "expected a pointer to the result type"
    return "" if state.types.fits(pointer[1], to) else f"expected a pointer to {described(to)}"
