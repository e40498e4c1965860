"""The table of operations, and calls of them."""

from tests.programs.dxil.modules import Everything, saxpy
from unshade.programs.dxil.model.constants import ConstantInt, integer_of
from unshade.programs.dxil.model.instructions import CallInst
from unshade.programs.dxil.operation_calls import arguments_of, operation_of
from unshade.programs.dxil.tables.dxil_operations import operations


def test_the_table() -> None:
    table = operations()
    assert table[4] is table["LoadInput"]
    assert table[4].signature == "LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)"
    assert (table[7].function, table[7].overloads, table[7].memory) == ("unary", "hfd<hfd", "rn")
    assert table["Barrier"].flags == "b"
    assert table["WaveIsFirstLane"].flags == "w"
    assert table[2**31 + 34].shader_model == (6, 10)
    assert [each.code for each in table if each.code < 2**31] == list(range(312))


def test_calls() -> None:
    main = saxpy().module.function("main")
    assert main is not None
    calls = [each for each in main.instructions if isinstance(each, CallInst)]
    call = next(each for each in calls if operation_of(each) is operations()["ThreadId"])
    operation = operation_of(call)
    assert operation is not None
    (component,) = arguments_of(call, operation).items()
    assert component[0] == "component"
    assert integer_of(component[1]) is not None
    call.arguments[0] = ConstantInt(call.arguments[0].type, 99999)
    assert operation_of(call) is None


def test_other_instructions_perform_no_operation() -> None:
    assert {operation_of(each) for each in Everything().main.instructions} == {None}
