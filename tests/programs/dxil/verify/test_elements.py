"""Elements of signatures that operations refer to: their numbers, rows and columns."""

from __future__ import annotations

from tests.programs.dxil.dependence.support import TEXT
from unshade.programs.dxil import Program

INPUT, OUTPUT, OTHER = "input", "output", "patch constant or primitive output"
# The name and number of an operation, what follows element, row and column, and the signature.
LOADS = [
    ("loadInput", 4, ", i32 undef", INPUT), ("attributeAtVertex", 137, ", i8 0", INPUT),
    ("evalCentroid", 89, "", INPUT), ("evalSampleIndex", 88, ", i32 0", INPUT),
    ("evalSnapped", 87, ", i32 0, i32 0", INPUT),
    ("loadOutputControlPoint", 103, ", i32 0", OUTPUT), ("loadPatchConstant", 104, "", OTHER),
]  # fmt: skip
STORES = [
    ("storeOutput", 5, ", float 0.0", OUTPUT), ("storePatchConstant", 106, ", float 0.0", OTHER),
    ("storeVertexOutput", 171, ", float 0.0, i32 0", OUTPUT),
    ("storePrimitiveOutput", 172, ", float 0.0, i32 0", OTHER),
]  # fmt: skip


def call(name: str, number: int, more: str, place: tuple[int, int, int]) -> tuple[str, str]:
    """Return a call and the declaration of its function."""
    element, row, column = place
    result = "void" if name.startswith("store") else "float"
    types = "".join(f", {each.split()[0]}" for each in more.split(", ")[1:])
    function = f"@dx.op.{name}.f32"
    line = f"call {result} {function}(i32 {number}, i32 {element}, i32 {row}, i8 {column}{more})"
    return line, f"declare {result} {function}(i32, i32, i32, i8{types})"


def problems(calls: list[tuple[str, str]]) -> list[str]:
    """Return what is found about the elements of each call."""
    declared = "\n".join(dict.fromkeys(declaration for _, declaration in calls))
    lines = [line for line in TEXT.splitlines() if "declare" not in line]
    text = "\n".join(lines).format(
        body="\n".join([*(line for line, _ in calls), "ret void"]), functions=declared,
        properties="null",
    )  # fmt: skip
    found = dict.fromkeys(range(len(calls)), "")
    for each in Program.assemble(text + "\n").verify():
        if each.code == "dxil.element":
            at = int(each.path.partition("[")[2].partition("]")[0])
            found[at] = each.message.rpartition(": ")[2]
    return list(found.values())


def test_each_operation_refers_to_its_signature() -> None:
    rows = [*LOADS, *STORES]
    missing = problems([call(*row[:3], (9, 0, 0)) for row in rows])
    assert missing == [f"no {signature} has the number 9" for *_, signature in rows]
    assert problems([call(*row[:3], (0, 0, 1)) for row in rows]) == [""] * len(rows)


def test_rows_and_columns_are_those_of_the_element() -> None:
    """Inputs 0 and 1 have 1 x 4 and 2 x 2 components, patch constant 0 has 1 x 2."""
    load, constant = LOADS[0][:3], LOADS[-1][:3]
    cases = [
        (load, (0, 0, 3), ""), (load, (0, 1, 0), "expected a row below 1 of A, got 1"),
        (load, (0, 0, 4), "expected a column below 4 of A, got 4"), (load, (1, 1, 1), ""),
        (load, (1, 2, 0), "expected a row below 2 of B, got 2"),
        (load, (1, 0, 2), "expected a column below 2 of B, got 2"),
        (load, (2, 0, 0), "no input has the number 2"), (constant, (0, 0, 1), ""),
        (constant, (0, 0, 2), "expected a column below 2 of E, got 2"),
        (constant, (1, 0, 0), f"no {OTHER} has the number 1"),
    ]  # fmt: skip
    found = problems([call(*row, place) for row, place, _ in cases])
    assert found == [message for _, _, message in cases]
