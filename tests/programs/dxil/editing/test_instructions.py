"""Instructions inserted, replaced and removed, as objects and as text."""

import pytest

from tests.programs.dxil.llvm import llvm_text
from tests.programs.dxil.modules import Everything, part
from unshade.errors import AssembleError, UsageError
from unshade.programs.dxil import Program
from unshade.programs.dxil.bitstream import Bitstream
from unshade.programs.dxil.model.instructions import BinaryInst, CallInst

pytestmark = pytest.mark.heavy

MUL, ADD, STORE, RET = 11, 15, 16, 17  # of saxpy


def saxpy() -> Program:
    return Program.decode(part())


def texts(program: Program) -> list[str]:
    return [str(each) for each in program.instructions]


def test_a_replaced_result_keeps_its_uses() -> None:
    program = saxpy()
    (made,) = program.replace(MUL, "%12 = fadd fast float %11, 1.250000e-01")
    assert str(made) == "%12 = fadd fast float %11, 1.250000e-01"
    assert "%16 = fadd fast float %15, %12" in texts(program)
    again = Program.decode(program.encode())
    assert texts(again) == texts(program)
    assert "fadd fast float" in llvm_text(again)


def test_a_text_without_result_replaces_the_only_one() -> None:
    program = saxpy()
    (made,) = program.replace(MUL, "fsub float %11, %7")
    assert str(made) == "%12 = fsub float %11, %7"


def test_insertion() -> None:
    program = saxpy()
    new = program.insert(
        ADD + 1,
        "%doubled = fmul fast float %16, 2.000000e+00",
        "%99 = call float @dx.op.unary.f32(i32 7, float %doubled)  ; Saturate(value)",
    )
    assert [each.name for each in new] == ["fmul", "Saturate"]
    store = program.instructions[STORE + 2]
    program.replace(STORE + 2, str(store).replace("float %16", "float %17"))
    assert "declare float @dx.op.unary.f32(i32, float) #" in program.disassemble()
    assert not [each for each in program.verify() if each.severity == "error"]
    again = Program.decode(program.encode())
    assert texts(again) == texts(program)
    assert "%doubled = fmul" in llvm_text(again)


def test_attributes_are_those_of_the_listing() -> None:
    program = saxpy()
    assert "attributes #2 = { nounwind readonly }" in program.disassemble()
    text = "%cosine = call float @dx.op.unary.f32(i32 12, float %12) #2"
    (made,) = program.insert(ADD, text)
    assert str(made).partition("  ;")[0] == text
    again = Program.decode(program.encode())
    assert texts(again) == texts(program)
    with pytest.raises(AssembleError, match=r"text:1:56: unknown attributes #77"):
        program.insert(ADD, "%more = call float @dx.op.unary.f32(i32 12, float %12) #77")


def test_equal_attributes_of_an_edit_are_one_list_with_the_groups_of_the_module() -> None:
    program = saxpy()
    module = program.module
    groups = list(module.attribute_groups)
    call = "call float @dx.op.unary.f32(i32 12, float %12) #2"
    plain = program.insert(ADD, f"%one = {call}")[0].instruction
    module_lists = len(module.attributes)
    marked = call.replace("float @", "signext float @")
    first, second = (
        each.instruction for each in program.insert(ADD, f"%two = {marked}\n%three = {marked}")
    )
    assert isinstance(plain, CallInst)
    assert isinstance(first, CallInst)
    assert isinstance(second, CallInst)
    assert plain.attributes in module.attributes
    assert first.attributes is second.attributes is module.attributes[-1]
    assert len(module.attributes) == module_lists + 1
    (new,) = [each for each in module.attribute_groups if each not in groups]
    assert (new.index, new.id) == (0, max(each.id for each in groups) + 1)
    assert first.attributes.groups[1] in groups
    assert texts(Program.decode(program.encode())) == texts(program)


def test_an_unknown_operation_is_not_declared() -> None:
    with pytest.raises(AssembleError, match="unknown global"):
        saxpy().insert(3, "call void @dx.op.nothing(i32 1)")


def test_objects() -> None:
    program = saxpy()
    each = program.instructions[MUL].instruction
    assert isinstance(each, BinaryInst)
    made = BinaryInst(type=each.type, operation=each.operation, left=each.left, right=each.left)
    program.replace(MUL, made)
    assert str(program.instructions[MUL]) == "%12 = fmul float %11, %11"
    (copy,) = program.insert(ADD, program.instructions[MUL])
    assert copy.instruction is not program.instructions[MUL].instruction
    assert program.remove(ADD)[0].name == "fmul"
    with pytest.raises(UsageError, match="got an instruction of the module"):
        program.replace(slice(ADD, ADD), made)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            lambda each: each.remove(MUL),
            "the result %12 of fmul is still used by %16 = fadd fast float %15, %12",
        ),
        (
            lambda each: each.remove(2),
            "the result %3 of CreateHandleFromBinding is still used by %4 = call %dx.types.Handle",
        ),
        (lambda each: each.remove(RET), "expected one branch or return"),
        (lambda each: each.insert(RET + 1, "ret void"), "expected one branch or return"),
        (lambda each: each.insert(0, "%x = fnegate %1"), "unknown instruction 'fnegate'"),
        (lambda each: each.insert(0, "%x = fadd float %12, %12"), "is not defined before"),
        (lambda each: each.insert(0, "%x = fadd float %1, %1"), "expected a value of type float"),
        (lambda each: each.insert(0, "%x = fadd float %77, %77"), "unknown value %77"),
        (lambda each: each.insert(RET, "%12 = fadd float %11, %11"), "expected a new name"),
        (lambda each: each.insert(RET, "br label %nowhere"), "unknown block %nowhere"),
        (lambda each: each.insert(RET, "store i8 0, %what* null"), "unknown type %what"),
        (lambda each: each.insert(RET, "call void @f() #77"), "unknown global"),
        (lambda each: each.insert(RET, 7), "expected an instruction or its text, got 7"),
        (lambda each: each.replace(slice(1, 9, 3), "ret void"), "consecutive instructions"),
        (lambda each: each.replace(MUL, "%12 = add i32 1, 2"), "expected a result of type float"),
    ],
)
def test_what_would_break_the_module_changes_nothing(edit: object, message: str) -> None:
    program = saxpy()
    before = texts(program)
    with pytest.raises((UsageError, AssembleError), match=message):
        edit(program)  # type: ignore[operator]
    assert texts(program) == before
    assert program.encode() == part()


def test_every_instruction_replaced_by_its_text() -> None:
    program = Program(0x50065, 0x105, Bitstream([]))
    program.module = Everything().module
    program = Program.decode(program.encode())
    before = program.disassemble()
    for at, each in enumerate(program.instructions):
        program.replace(at, str(each))
        assert str(program.instructions[at]) == str(each)
    assert Program.decode(program.encode()).disassemble() == before
