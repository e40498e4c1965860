"""What the tables contain about operations."""

from unshade.programs.dxil.explanation import SHARED, explain
from unshade.programs.dxil.model.instructions import BY_OPCODE
from unshade.programs.dxil.tables.dxil_operations import operations


def test_an_operation_of_dxil() -> None:
    assert explain("RawBufferLoad") == [
        ("", "RawBufferLoad(srv,index,elementOffset,mask,alignment)"),
        ("function", "dx.op.rawBufferLoad"),
        (
            "operands",
            "srv: res\nindex: i32\nelementOffset: i32\nmask: i8 constant\nalignment: i32 constant",
        ),
        ("result", "result of a resource"),
        ("overloads", "half, float, i16, i32, double, i64"),
        ("effects", "only reads memory"),
        ("since", "shader model 6.2"),
        ("number", "139"),
    ]


def test_effects_of_an_operation() -> None:
    assert dict(explain("DerivCoarseX"))["effects"] == (
        "does not access memory, needs derivatives, must stay in uniform control flow"
    )


def test_an_instruction_of_llvm() -> None:
    assert dict(explain("shl"))[""] == "integer shifted to the left"
    assert dict(explain("extractvalue"))[""] == "an element of an aggregate"
    assert explain("load")[0] == ("", "a read from memory")


def test_every_operation_is_explained_by_one_line() -> None:
    for name in [*BY_OPCODE, *(each.name for each in operations())]:
        texts = dict(explain(name))
        assert texts[""], name
        assert {label for label, text in texts.items() if "\n" in text} <= {"operands"}, name
    shared = {name for name, made in BY_OPCODE.items() if made.OPERATIONS or name != made.OPCODE}
    assert shared == set(SHARED)


def test_an_unknown_operation() -> None:
    assert explain("frobnicate") == []
