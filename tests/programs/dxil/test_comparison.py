"""Differences of programs by category: code, names, debug information, layout."""

import pytest

from tests.examples import EXAMPLES
from tests.programs.dxil.modules import MINIMAL, part
from unshade import diff, open
from unshade.analysis.diff import Category, Diff
from unshade.programs.dxil import Program
from unshade.programs.dxil.comparison import name_differences
from unshade.programs.dxil.model.metadata import (
    MetadataNode,
    MetadataString,
    NamedMetadata,
)
from unshade.programs.dxil.model.types import StructType

pytestmark = pytest.mark.heavy


def compared(edit: object) -> Diff:
    """Return the difference of the example and an edited copy."""
    after = open(EXAMPLES / "saxpy6.dxil")
    edit(after.programs[0])  # type: ignore[operator]
    return diff(open(EXAMPLES / "saxpy6.dxil"), after)


def names(program: Program) -> None:
    """Give a name to a value."""
    function = program.module.function("main")
    assert function is not None
    function.instructions[3].name = "handle"


def order(program: Program) -> None:
    """Number metadata in another order."""
    program.module.metadata.reverse()


def debug(program: Program) -> None:
    """Add a source file."""
    texts = [MetadataString("a.hlsl"), MetadataString("void main() {}")]
    node = MetadataNode([*texts])
    program.module.metadata += [*texts, node]
    program.module.named_metadata.append(NamedMetadata("dx.source.contents", [node]))


def types(program: Program) -> None:
    """Give another name to a structure."""
    for each in program.module.types:
        if isinstance(each, StructType) and each.name == "P":
            each.name = "Constants"
            each.name_record = None


@pytest.mark.parametrize(
    ("edit", "categories"),
    [
        (names, {Category.REFLECTION}),
        (order, {Category.CONTAINER}),
        (types, {Category.REFLECTION}),
        (debug, {Category.DEBUG}),
        (lambda program: program.insert(5, "%x = fadd float 1.0, 2.0"), {Category.CODE}),
    ],
)
def test_categories(edit: object, categories: set[Category]) -> None:
    found = compared(edit)
    ignored = {Category.DIGEST, Category.STATISTICS}
    assert set(found.categories) - ignored == categories
    assert bool(found.programs) == (Category.CODE in categories)


def test_an_inserted_instruction_is_one_line() -> None:
    found = compared(lambda program: program.insert(5, "%x = fadd float 1.0, 2.0"))
    (line,) = found.programs[0].lines
    assert line.after == "%6 = fadd float 1.000000e+00, 2.000000e+00"
    assert found.programs[0].equal > 30


def test_a_changed_operand_is_one_line() -> None:
    found = compared(lambda program: program.replace(11, "%12 = fmul fast float %11, %11"))
    (line,) = found.programs[0].lines
    assert (line.before, line.after) == (
        "%12 = fmul fast float %11, %7",
        "%12 = fmul fast float %11, %11",
    )


def test_lines_have_neither_names_nor_numbers_of_metadata() -> None:
    program = Program.decode(part())
    text = "\n".join(program.comparable())
    assert program.comparable()[0] == "program cs_6_6 1.6"
    assert "!dx.entryPoints = !{void ()* @main, " in text
    assert "!1" not in text
    assert " #" not in text


def named(*functions: str) -> Program:
    """Return a module with functions of these names."""
    text = MINIMAL.format(stage="lib", minor=3, entry='null, !""', interface="null, null")
    bodies = "".join(f"define void @{name}() {{\n  ret void\n}}\n" for name in functions)
    return Program.assemble(text.replace("define void @main() {\n  ret void\n}\n", bodies))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (("a", "b"), ("a", "b"), []),
        (("a", "b"), ("a", "c"), [("globals[1]", "b", "c")]),
        (("a", "b"), ("c", "b"), [("globals[0]", "a", "c")]),
        (("a", "b"), ("a",), []),
        (("a",), ("a", "b"), []),
    ],
)
def test_names_of_functions(
    before: tuple[str, ...], after: tuple[str, ...], expected: list[tuple[str, str, str]]
) -> None:
    """They are compared by place, if both modules have as many."""
    found = name_differences(named(*before).module, named(*after).module)
    assert list(found) == expected
