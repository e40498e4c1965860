"""Disassembly and assembly: spirv-dis and spirv-as by recorded output."""

import pytest

from tests.programs.spirv.modules import module, one_of_each, op
from unshade.errors import AssembleError
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.exact import read_exact, write_exact
from unshade.programs.spirv.module import Instruction, Module
from unshade.programs.spirv.tables.numbers import Opcode
from unshade.programs.spirv.text.printer import Options, disassemble, numbered

PLAIN = Options(header=False, indent=False)


def assembled(text: str, **options: bool) -> list[tuple[int, ...]]:
    return [each.words for each in assemble(Source(text), **options).instructions]  # type: ignore[arg-type]


def printed(text: str, options: Options = PLAIN) -> str:
    return disassemble(assemble(Source(text)), options)


def test_header_and_columns() -> None:
    text = disassemble(assemble(Source("OpCapability Shader\n%2 = OpTypeVoid")))
    assert text == (
        "; SPIR-V\n; Version: 1.6\n; Generator: Khronos SPIR-V Tools Assembler; 0\n"
        "; Bound: 2\n; Schema: 0\n"
        "               OpCapability Shader\n"
        "       %void = OpTypeVoid\n"
    )


def test_lines_of_strings_with_line_ends_are_numbered() -> None:
    made = assemble(
        Source('%1 = OpString "one\n\ntwo"\n%2 = OpTypeVoid\n%3 = OpString "\n"\nOpNop')
    )
    lines, numbers = numbered(made)
    assert "\n".join([*lines, ""]) == disassemble(made)
    assert [lines[each - 1].split()[-1] for each in numbers] == ['"one', "OpTypeVoid", '"', "OpNop"]
    made.instructions.insert(1, Instruction((1 << 16 | 0xFFFF,)))  # unknown
    assert "\n".join([*numbered(made)[0], ""]) == disassemble(made)


@pytest.mark.parametrize(
    ("type_", "value", "shown"),
    [
        ("OpTypeInt 32 0", "7", "7"),
        ("OpTypeInt 32 1", "-7", "-7"),
        ("OpTypeInt 16 1", "0xffff", "-1"),
        ("OpTypeInt 64 0", "0x100000001", "4294967297"),
        ("OpTypeFloat 32", "0.1", "0.100000001"),
        ("OpTypeFloat 64", "0.1", "0.10000000000000001"),
        ("OpTypeFloat 32", "0x1p-149", "0x1p-149"),
        ("OpTypeFloat 32", "0x1p+128", "0x1p+128"),
        ("OpTypeFloat 32", "-0x1.8p+128", "-0x1.8p+128"),
        ("OpTypeFloat 32", "-0", "-0"),
        ("OpTypeFloat 16", "1.5", "0x1.8p+0"),
        ("OpTypeFloat 16 BFloat16KHR", "0x1p+0", "0x1p+0"),
        ("OpTypeFloat 8 MXInt8EXT", "-0x1.2p-2", "-0x1.2p-2"),
        ("OpTypeFloat 8 Float8UnsignedE8M0EXT", "0x1p-127", "0x1p-127"),
    ],
)
def test_numbers(type_: str, value: str, shown: str) -> None:
    text = printed(f"%1 = {type_}\n%2 = OpConstant %1 {value}", PLAIN._replace(raw_id=True))
    assert text.splitlines()[1] == f"%2 = OpConstant %1 {shown}"


def test_friendly_names() -> None:
    text = printed(
        'OpName %a "a b"\nOpName %b "a_b"\nOpDecorate %c BuiltIn VertexIndex\n'
        "%f = OpTypeFloat 32\n%v = OpTypeVector %f 4\n%p = OpTypePointer Input %v\n"
        "%k = OpConstant %f -0.5\n"
    )
    assert text.splitlines()[-4:] == [
        "%float = OpTypeFloat 32",
        "%v4float = OpTypeVector %float 4",
        "%_ptr_Input_v4float = OpTypePointer Input %v4float",
        "%float_n0_5 = OpConstant %float -0.5",
    ]
    assert 'OpName %a_b "a b"' in text
    assert 'OpName %a_b_0 "a_b"' in text
    assert "OpDecorate %gl_VertexIndex BuiltIn VertexIndex" in text


def test_words_unknown_to_the_grammar_have_a_note() -> None:
    text = disassemble(Module.loads(module(*op(4000, 7), *op(19, 1))), PLAIN)
    assert text == (
        "OpUnknown(4000, 2) 7  ; note: ID bound may be incorrect after reassembly\n"
        "%void = OpTypeVoid\n"
    )


def test_offsets() -> None:
    text = printed("OpCapability Shader\n%1 = OpTypeVoid", PLAIN._replace(offsets=True))
    assert text == (
        "OpCapability Shader                                 ; 0x00000014\n"
        "%void = OpTypeVoid                                  ; 0x0000001c\n"
    )


def test_words_instead_of_operands() -> None:
    assert assembled("%2 = OpConstant !1 !0") == [(43 | 4 << 16, 1, 1, 0)]
    assert assembled("!0x00020013 %x") == [(19 | 2 << 16, 1)]
    assert assembled("OpUnknown(12, 3) 1 2") == [(12 | 3 << 16, 1, 2)]


def test_ids_are_numbered_by_mention_or_kept() -> None:
    text = "%7 = OpTypeVoid\n%f = OpTypeFunction %7\n%2 = OpTypeBool"
    assert [each[1] for each in assembled(text)] == [1, 2, 3]
    kept = assembled(text, preserve_numeric_ids=True)
    assert [each[1] for each in kept] == [7, 1, 2]


@pytest.mark.parametrize("preserve", [False, True])
@pytest.mark.parametrize("names", [[], ["%a"], ["%7"], ["%b", "%1", "%a"], ["%3", "%a"]])
def test_the_bound_is_one_more_than_the_greatest_id(names: list[str], preserve: bool) -> None:
    text = "".join(f"{each} = OpTypeVoid\n" for each in names)
    made = assemble(Source(f"OpNop\n{text}"), preserve_numeric_ids=preserve)
    ids = [each.words[1] for each in made.instructions[1:]]
    assert made.bound == 1 + max(ids, default=0)
    assert len({*ids}) == len(names)
    if preserve:
        kept = [int(name[1:]) for name in names if name[1:].isdecimal()]
        assert {*kept} <= {*ids}


def test_versions_of_targets() -> None:
    assert assemble(Source(""), target="vulkan1.1").version == 0x10300
    with pytest.raises(AssembleError, match="unknown instruction 'OpCopyLogical'"):
        assemble(Source("%2 = OpCopyLogical %1 %3"), target="spv1.3")


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("OpCapabilty Shader", (1, 1), "'OpCapabilty'; did you mean OpCapability?"),
        ("OpCapability Shadr", (1, 14), "unknown Capability 'Shadr'; did you mean Shader?"),
        ("OpTypeVoid", (1, 1), "expected a result id before OpTypeVoid"),
        ("%1 = OpNop", (1, 6), "expected no result id, since OpNop has no result"),
        ("%1 OpTypeVoid", (1, 4), "expected '=' after the result id, got 'OpTypeVoid'"),
        ("%1 =", (1, 5), "expected an instruction, got the end of the text"),
        ("OpName %1", (1, 10), "expected the operand Name of OpName, got the end of the text"),
        ("OpName 1 \"x\"", (1, 8), "expected an id, which starts with %, got '1'"),
        ("%1 = OpTypeInt 32 -1", (1, 19), "expected an unsigned integer of 32 bits, got '-1'"),
        ("%1 = OpTypeInt 8 0\n%2 = OpConstant %1 256", (2, 20), "an unsigned integer of 8 bits"),
        ("%1 = OpTypeInt 0 1\n%2 = OpConstant %1 1", (2, 20), "a type of 1 to 64 bits, got 0"),
        ("%1 = OpTypeInt 4294967295 0\n%2 = OpConstant %1 1", (2, 20), "got 4294967295"),
        ("%1 = OpTypeVoid\n%2 = OpConstant %1 1", (2, 20), "a type that is an integer or float"),
        ("%1 = OpExtInstImport \"Haskell.std\"", (1, 22), "unknown extended instruction set"),
        ("OpUnknown(70000, 1)", (1, 11), "expected an opcode of 16 bits, got '70000'"),
        ("!x", (1, 1), "expected a number of 32 bits after '!'"),
        ("%a! = OpTypeVoid", (1, 17), "expected an id of letters, digits and _"),
        ("%1 = OpTypeFloat 15 BFloat16KHR", (1, 32), "expected a width of 16 bits for BFloat16KHR"),
    ],
)  # fmt: skip
def test_errors_have_a_place(text: str, place: tuple[int, int], problem: str) -> None:
    with pytest.raises(AssembleError) as caught:
        assemble(Source(text))
    assert (caught.value.line, caught.value.column) == place
    assert problem in caught.value.problem


def test_every_error_is_reported() -> None:
    with pytest.raises(AssembleError) as caught:
        assemble(Source("OpFoo\nOpCapability Shader\nOpBar 1 2\n"))
    assert [each.line for each in caught.value.errors] == [1, 3]


@pytest.mark.parametrize("name", one_of_each())
def test_exact_text_holds_every_word(name: str) -> None:
    data = one_of_each()[name]
    assert read_exact(Source(write_exact(Module.loads(data)))).to_bytes() == data
    cut = data[:-3]
    assert read_exact(Source(write_exact(Module.loads(cut)))).to_bytes() == cut


def test_exact_text_without_its_header() -> None:
    with pytest.raises(AssembleError, match="expected the header of the module"):
        read_exact(Source("; unshade spirv exact 1\n%1 = OpTypeVoid\n"))


NESTED = """
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeBool
%4 = OpConstantTrue %3
%5 = OpFunction %1 None %2
%6 = OpLabel
OpSelectionMerge %8 None
OpBranchConditional %4 %7 %8
%8 = OpLabel
OpReturn
%7 = OpLabel
OpBranch %8
OpFunctionEnd
"""


def test_block_orders() -> None:
    text = printed(
        NESTED, Options(header=False, raw_id=True, nested_indent=True, reorder_blocks=True)
    )
    assert text.splitlines()[5:] == [
        "",
        "          %6 = OpLabel",
        "                 OpSelectionMerge %7 None",
        "                 OpBranchConditional %4 %8 %7",
        "",
        "          %8 =     OpLabel",
        "                     OpBranch %7",
        "",
        "          %7 = OpLabel",
        "                 OpReturn",
        "               OpFunctionEnd",
    ]


def test_a_line_between_blocks_belongs_to_the_block_before() -> None:
    """As in SPIRV-Tools 2025.5, which then sees no branch at its end."""
    text = NESTED.replace("OpBranchConditional %4 %7 %8", "OpBranchConditional %4 %7 %8\nOpNoLine")
    ordered = printed(text, Options(header=False, raw_id=True, indent=False, reorder_blocks=True))
    assert ordered.splitlines()[5:] == [
        "%6 = OpLabel", "OpSelectionMerge %7 None", "OpBranchConditional %4 %8 %7", "OpNoLine",
        "%7 = OpLabel", "OpReturn", "%8 = OpLabel", "OpBranch %7", "OpFunctionEnd",
    ]  # fmt: skip
    nested = printed(text, Options(header=False, raw_id=True, nested_indent=True))
    labels = [line for line in nested.splitlines() if "OpLabel" in line]
    assert all(each.index("OpLabel") == 15 for each in labels)


@pytest.mark.parametrize("text", ["OpNop", "OpFunctionEnd", "%6 = OpLabel", ""])
def test_functions_without_blocks_or_an_end_are_printed(text: str) -> None:
    head = "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%5 = OpFunction %1 None %2\n"
    given = f"{head}OpNop\n{text}"
    for option in ("reorder_blocks", "nested_indent"):
        options = Options(header=False, raw_id=True, indent=False)._replace(**{option: True})
        lines = [each.strip() for each in printed(given, options).splitlines() if each]
        assert len(lines) == 4 + bool(text)


BRANCHES = """
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeBool
%4 = OpConstantTrue %3
%5 = OpFunction %1 None %2
%6 = OpLabel
OpSelectionMerge %7 None
OpBranchConditional %4 %8 %7
%8 = OpLabel
OpBranchConditional %4 %9 %7
%9 = OpLabel
OpBranch %10
%10 = OpLabel
OpBranch %7
%7 = OpLabel
OpReturn
OpFunctionEnd
"""


def test_blocks_nest_below_a_branch_without_a_merge() -> None:
    text = printed(BRANCHES, Options(header=False, raw_id=True, nested_indent=True))
    labels = [line.split("=")[1] for line in text.splitlines() if "OpLabel" in line]
    depths = [(len(each) - len(each.lstrip()) - 1) // 2 for each in labels]
    assert depths == [0, 2, 4, 4, 0]


def test_columns_of_comments_follow_the_line_before() -> None:
    text = printed(
        f'OpName %a "a"\nOpName %b "{"b" * 60}"\nOpName %c "c"\n%d = OpTypeVoid\nOpName %e "e"\n',
        PLAIN._replace(comment=True, raw_id=True),
    )
    columns = [line.find("; id") for line in text.splitlines() if line.startswith("OpName")]
    assert columns == [52, 76, 76, 52]


def test_comments_have_decorations_of_the_plain_instruction_alone() -> None:
    text = printed(
        'OpDecorate %v Location 3\nOpDecorateString %v UserSemantic "A"\n'
        "OpDecorateId %v AlignmentId %k\n%t = OpTypeInt 32 0\n%k = OpConstant %t 4\n"
        "%p = OpTypePointer Input %t\n%v = OpVariable %p Input\n",
        PLAIN._replace(comment=True, raw_id=True),
    )
    assert text.splitlines()[-1].split("; ")[1] == "Location 3"


def test_names_of_types_of_extensions() -> None:
    text = printed(
        "%p = OpTypeUntypedPointerKHR Uniform\n%t = OpTypeFloat 32\n"
        "%a = OpTypeNodePayloadArrayAMDX %t\n"
    )
    assert text.splitlines() == [
        "%_ptr_Uniform = OpTypeUntypedPointerKHR Uniform",
        "%float = OpTypeFloat 32",
        "%_payloadarr_float = OpTypeNodePayloadArrayAMDX %float",
    ]


def test_headings_are_for_the_first_type_and_the_first_decoration_of_an_id() -> None:
    text = printed(
        "%g = OpDecorationGroup\nOpTypeForwardPointer %p Uniform\n"
        "%t = OpTypeInt 32 0\nOpDecorate %t Restrict\n",
        PLAIN._replace(comment=True, raw_id=True),
    )
    assert [line for line in text.splitlines() if line.startswith(";")] == [
        "; Types, variables and constants",
        "; Annotations",
    ]


def test_a_phi_without_its_last_block_is_printed() -> None:
    text = "%1 = OpPhi %2 %3 %4 %5\n"
    kept = assemble(Source(text), preserve_numeric_ids=True)
    assert disassemble(kept, PLAIN._replace(raw_id=True)) == text


def test_instructions_of_debug_printf_have_names() -> None:
    text = '%1 = OpExtInstImport "NonSemantic.DebugPrintf"\n%2 = OpTypeVoid\n'
    for name in ("DebugPrintf", "1"):
        made = printed(f"{text}%3 = OpExtInst %2 %1 {name} %1", PLAIN._replace(raw_id=True))
        assert made.splitlines()[-1] == "%3 = OpExtInst %2 %1 DebugPrintf %1"


def test_unknown_instructions_of_sets_that_are_not_semantic_are_numbers() -> None:
    text = (
        '%1 = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"\n%2 = OpTypeVoid\n'
        "%3 = OpExtInst %2 %1 20000 %2\n"
    )
    assert printed(text, PLAIN._replace(raw_id=True)) == text


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("; SPIR-V\n; Version: 1.3\nOpNop", 0x10300),
        ("\n  ; Version: 1.0\n", 0x10000),
        ("OpNop\n; Version: 1.3\n", 0x10600),
        ("; Version: 1.12\n", 0x10600),
        ("; Version: 2.0\n", 0x10600),
    ],
)
def test_the_version_is_that_of_the_first_comments(text: str, version: int) -> None:
    assert assemble(Source(text)).version == version
    assert assemble(Source(text), target="spv1.4").version == 0x10400


def test_blanks_between_the_parts_of_unknown_instructions() -> None:
    assert assembled("OpUnknown ( 24 , 2 ) 7") == [(2 << 16 | 24, 7)]


def test_a_label_without_an_id() -> None:
    made = assemble(Source(NESTED))
    label = next(n for n, each in enumerate(made.instructions) if each.opcode == Opcode.Label)
    made.instructions[label] = Instruction.of(Opcode.Label)
    assert "OpLabel" in disassemble(made, Options(nested_indent=True, reorder_blocks=True))
