"""Shapes of instructions: a line by shape is the line of the decoded instruction."""

import pytest

from tests.programs.spirv.modules import CAPABILITY, SAXPY, VOID, module, op, words_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.module import Module
from unshade.programs.spirv.text.layout import Options
from unshade.programs.spirv.text.printer import disassemble, printed_lines
from unshade.programs.spirv.text.shapes import LONGEST, MOST, LineStyle, Shapes

PLAIN = Options(header=False, indent=False)


def lines(*words: int, bound: int = 16) -> list[str]:
    """Return the lines of a module, which have to be those of its decoded instructions."""
    data = module(*words, bound=bound)
    text = disassemble(Module.loads(data), PLAIN).splitlines()
    note = "  ; note: ID bound may be incorrect after reassembly"
    assert [each.removesuffix(note) for each in text] == [
        str(each) for each in printed_lines(Module.loads(data))
    ]
    return text


def test_modules_share_shapes_without_mixing_them() -> None:
    short = op(15, 5, 1, *words_of("abc"), 7)
    long = op(15, 5, 1, *words_of("main"))
    assert lines(*short) == ['OpEntryPoint GLCompute %1 "abc" %7']
    assert lines(*long) == ['OpEntryPoint GLCompute %1 "main"']

    glsl, other = op(11, 1, *words_of("GLSL.std.450")), op(11, 1, *words_of("OpenCL.std"))
    call = op(12, 2, 3, 1, 4, 5)
    assert lines(*glsl, *call)[1] == "%3 = OpExtInst %2 %1 FAbs %5"
    assert lines(*other, *call)[1] == "%3 = OpExtInst %2 %1 asinh %5"
    assert lines(*call) == ["%3 = OpExtInst %2 %1 4 %5"]

    constant = op(43, 1, 2, 0xBF80_0000)
    assert lines(*op(22, 1, 32), *constant)[1] == "%float_n1 = OpConstant %float -1"
    assert lines(*op(21, 1, 32, 0), *constant)[1].endswith("OpConstant %uint 3212836864")
    assert lines(*constant)[0].startswith("OpUnknown(43, 4)")


def test_masks_decide_which_operands_follow() -> None:
    code = [*op(62, 1, 2, 1), *op(62, 1, 2, 2, 16), *op(62, 3, 4, 2, 8), *op(62, 1, 2, 3, 4)]
    assert lines(*code) == [
        "OpStore %1 %2 Volatile",
        "OpStore %1 %2 Aligned 16",
        "OpStore %3 %4 Aligned 8",
        "OpStore %1 %2 Volatile|Aligned 4",
    ]


def test_words_that_a_shape_does_not_have() -> None:
    assert lines(*CAPABILITY, *op(17, 0xFFFF))[1].startswith("OpUnknown(17, 2) 65535")
    assert lines(*op(56, 70_000), bound=5) == ["OpUnknown(56, 2) 70000  ; note: ID bound may be"
                                               " incorrect after reassembly"]  # fmt: skip
    assert lines(*op(248, 70_000), bound=5) == ["%70000 = OpLabel"]
    assert lines(*op(1000)) == [
        "OpUnknown(1000, 1)  ; note: ID bound may be incorrect after reassembly"
    ]


def test_selectors_have_the_types_of_the_instructions_before() -> None:
    undefined, switch = op(1, 1, 2), op(251, 2, 3, 0xFFFF_FFFF, 4)
    assert lines(*op(21, 1, 32, 1), *undefined, *switch)[-1] == "OpSwitch %2 %3 -1 %4"
    assert lines(*op(21, 1, 32, 1), *switch, *undefined)[1].startswith("OpUnknown(251")


def test_names_that_are_numbers_or_come_late() -> None:
    named = op(5, 4, *words_of("5"))
    assert lines(*named, *VOID, *op(248, 5)) == [
        'OpName %5 "5"', "%void = OpTypeVoid", "%5_0 = OpLabel",
    ]  # fmt: skip
    function = op(54, 1, 3, 0, 2)
    assert lines(*function, *op(248, 5), *op(5, 5, *words_of("x")))[1] == "%5 = OpLabel"
    assert lines(*function, *op(5, 5, *words_of("x")), *op(248, 5))[2] == "%x = OpLabel"


@pytest.mark.parametrize("options", [PLAIN, Options(), Options(nested_indent=True, comment=True)])
def test_a_module_read_twice_has_the_same_text(options: Options) -> None:
    made = assemble(Source(SAXPY.read_text(encoding="utf-8")))
    data = made.to_bytes()
    assert disassemble(Module.loads(data), options) == disassemble(made, options)


def test_shapes_are_bounded() -> None:
    shapes = Shapes(LineStyle(indent=False))
    line = printed_lines(Module.loads(module(*CAPABILITY)))[0]
    shapes.count = MOST
    shapes.add(line.instruction.words, line.decoded, None)  # type: ignore[arg-type]
    assert shapes.count == 1
    members = range(1, LONGEST + 1)
    assert lines(*op(30, 100, *members), bound=200)[0].count("%") == LONGEST + 1
    longest = printed_lines(Module.loads(module(*op(30, 100, *members), bound=200)))[0]
    shapes.add(longest.instruction.words, longest.decoded, None)  # type: ignore[arg-type]
    assert shapes.count == 1
