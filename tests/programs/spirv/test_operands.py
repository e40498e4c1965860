"""Operands of instructions; those that need the context are not mixed up with kept ones."""

from unshade.programs.spirv.context import Context, Number
from unshade.programs.spirv.operands import EXTENDED, IDS, TYPED, TYPED_NUMBER, decode
from unshade.programs.spirv.tables.grammar import grammar
from unshade.programs.spirv.tables.numbers import Opcode

BY_TYPE = {TYPED_NUMBER, "PairLiteralIntegerIdRef"}


def opcodes(kinds: set[str]) -> set[int]:
    table = grammar().core.by_code.values()
    return {op.code for op in table if kinds & {rule.kind for rule in op.operands}}


def test_the_opcodes_that_need_the_context_are_those_of_the_grammar() -> None:
    assert opcodes(BY_TYPE) == TYPED
    assert opcodes({"LiteralExtInstInteger"}) == EXTENDED


def test_the_kinds_of_ids_are_those_of_the_grammar() -> None:
    assert {name for name, kind in grammar().kinds.items() if kind.category == "Id"} == IDS


def test_the_same_words_with_another_import_are_another_instruction() -> None:
    words = (Opcode.ExtInst | 6 << 16, 1, 2, 3, 10, 4)
    names = []
    for imported in ("GLSL.std.450", "OpenCL.std", "of somebody else", "GLSL.std.450"):
        context = Context()
        context.imports[3] = imported
        operation = decode(words, context, grammar()).operands[3].op
        names.append(None if operation is None else operation.name)
    assert names == ["Fract", "atan2pi", None, "Fract"]


def test_the_same_words_with_another_type_are_another_number() -> None:
    words = (Opcode.Constant | 4 << 16, 1, 2, 0x3F800000)
    numbers = []
    for number in (Number(True, 32, True), Number(False, 32), None, Number(True, 32, True)):
        context = Context()
        if number is not None:
            context.numbers[1] = number
        found = decode(words, context, grammar())
        numbers.append(found.problem or found.operands[-1].number)
    expected = "expected a literal of a numeric type"
    assert numbers == [Number(True, 32, True), Number(False, 32), expected, Number(True, 32, True)]
