"""The text of modules."""

import re

import pytest

from tests.programs.dxil.modules import Everything, saxpy
from unshade.errors import LimitError
from unshade.limits import Limits
from unshade.programs.dxil.model.constants import (
    ConstantAggregate,
    ConstantData,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantNull,
    ConstantString,
    InlineAssembly,
    UndefinedValue,
)
from unshade.programs.dxil.model.instructions import CallInst
from unshade.programs.dxil.model.metadata import DebugNode, MetadataNode, MetadataString
from unshade.programs.dxil.model.values import BasicBlock, DxilValue, UseListOrder
from unshade.programs.dxil.tables.debuginfo import DEBUG_ROWS
from unshade.programs.dxil.text import disassemble
from unshade.programs.dxil.text.constants import flags_text
from unshade.programs.dxil.text.writer import TextWriter

WORD = re.compile(r"%\w+ = .*|  (?:store|fence|br|ret|switch|resume).*")


def lines_of(everything: Everything) -> list[str]:
    return disassemble(everything.module).splitlines()


@pytest.fixture
def everything() -> Everything:
    return Everything()


@pytest.mark.parametrize(
    "line",
    [
        'module asm "nop"',
        "%node = type { i32, %node* }",
        "$comdat = comdat any",
        "@plain = addrspace(3) global i32 1, align 4",
        '@other = external unnamed_addr constant %node, section "section", comdat($comdat)',
        "@alias = alias i32 addrspace(3)* @plain",
        "; Function Attrs: nounwind alignstack(16)",
        "declare i32 @called(i32, metadata, ...) #0",
        'attributes #0 = { nounwind alignstack=16 "fp32-denorm-mode"="preserve" "key" }',
        "entry:",
        "  %local = alloca i32, align 8, !dbg !2 ; line:1 col:2",
        "  %4 = fcmp nnan olt float %2, %2",
        "  %5 = add nuw i32 %n, 77, !dbg !2 ; line:1 col:2",
        "  %8 = select i1 %3, i32 %n, i32 77",
        "  %12 = getelementptr inbounds i32, i32* %0, i32 77",
        "  %14 = load atomic volatile i32, i32* %local acquire, align 4",
        "  store atomic i32 %n, i32* %local singlethread release, align 4",
        "  %15 = cmpxchg weak i32* %0, i32 %n, i32 77 monotonic monotonic",
        "  %17 = insertvalue { i32, i1 } %15, i32 %n, 0",
        "  %18 = atomicrmw add i32* %0, i32 %n monotonic",
        "  %22 = phi i32 [ 77, %entry ], [ %23, %21 ]",
        "; <label>:21                                      ; preds = %25, %24, %21, %entry",
        "  indirectbr i8* blockaddress(@main, %21), [label %21, label %28]",
        " " * 50 + "; No predecessors!",
        "!name = !{!0, !1}",
        "!none = !{}",
        '!1 = !{!"text \\FF", null, i32 1, !0}',
        "!2 = !DILocation(line: 1, column: 2, scope: !1, inlinedAt: !3)",
    ],
)
def test_lines(line: str) -> None:
    assert line in lines_of(Everything())


def test_a_call_has_attributes_of_its_place_and_attached_metadata(everything: Everything) -> None:
    assert (
        "  %20 = tail call i32 (i32, metadata, ...) "
        "@called(i32 %n, metadata i32* %local, float %2) #0, !kind !1"
    ) in lines_of(everything)


def test_operations_have_a_comment_with_their_operands() -> None:
    text = disassemble(saxpy().module)
    assert re.search(r"call i32 @dx\.op\.threadId\.i32\(i32 93, i32 0\).*  ; ThreadId\(", text)


def test_unknown_operations_have_a_comment_with_their_number() -> None:
    module = saxpy().module
    call = next(
        each
        for function in module.functions
        for each in function.instructions
        if isinstance(each, CallInst)
    )
    call.arguments[0] = ConstantInt(call.arguments[0].type, 9999)
    assert "  ; invalid DXIL opcode #9999\n" in disassemble(module)


def test_predecessors_are_in_the_order_of_use_lists(everything: Everything) -> None:
    loop = everything.main.blocks[1]
    everything.main.use_lists = [UseListOrder(loop, [1, 0, 3, 2])]
    assert "; <label>:21" + " " * 38 + "; preds = %24, %25, %entry, %21" in lines_of(everything)


def test_names_are_quoted_where_needed(everything: Everything) -> None:
    first, second = everything.main.blocks[:2]
    first.name, second.name = "a b\n", "7"
    text = disassemble(everything.module)
    assert '\n"a b\\0A":\n' in text
    assert '\n"7":' + " " * 46 + "; preds = " in text
    assert 'br label %"7"\n' in text


CONSTANTS = (
    ("i32", lambda m: ConstantInt(m.i32, -5), "-5"),
    ("i1", lambda m: ConstantInt(m.i1, -1), "true"),
    ("i1", lambda m: ConstantNull(m.i1), "false"),
    ("%node", lambda m: ConstantNull(m.node), "zeroinitializer"),
    ("i32*", lambda m: ConstantNull(m.pointer), "null"),
    ("<4 x i32>", lambda m: UndefinedValue(m.vector), "undef"),
    (
        "<4 x i32>",
        lambda m: ConstantAggregate(m.vector, [m.zero, m.one, m.zero, m.one]),
        "<i32 0, i32 1, i32 0, i32 1>",
    ),
    ("<4 x i32>", lambda m: ConstantAggregate(m.vector, [m.zero] * 4), "zeroinitializer"),
    ("{ i32, i1 }", lambda m: ConstantAggregate(m.pair, [m.one, m.truth]), "{ i32 1, i1 true }"),
    (
        "[2 x float]",
        lambda m: ConstantData(m.module.types.array(2, m.f32), [0x3F800000, 0xFF800000]),
        "[float 1.000000e+00, float 0xFFF0000000000000]",
    ),
    ("[3 x i8]", lambda m: ConstantData(m.text, [65, 0, 34]), 'c"A\\00\\22"'),
    (
        "i32 addrspace(3)*",
        lambda m: m.module.constants[-1],
        "getelementptr inbounds (i32, i32 addrspace(3)* @plain, i32 0)",
    ),
    # The type that a getelementptr steps through: that of its record, else what is pointed at.
    (
        "i32*",
        lambda m: ConstantExpression(m.pointer, "getelementptr", [ConstantNull(m.pointer), m.one]),
        "getelementptr (i32, i32* null, i32 1)",
    ),
    (
        "i32*",
        lambda m: ConstantExpression(
            m.pointer, "getelementptr", [ConstantNull(m.pointer), m.one], source_type=m.f32
        ),
        "getelementptr (float, i32* null, i32 1)",
    ),
    (
        "i32*",
        lambda m: ConstantExpression(m.pointer, "getelementptr", [m.one, m.one]),
        "getelementptr (i32 1, i32 1)",
    ),
    ("i32*", lambda m: ConstantExpression(m.pointer, "getelementptr", []), "getelementptr ()"),
    (
        "i32",
        lambda m: ConstantExpression(m.i32, "binary", [m.one, m.one], 0, 3),
        "add nuw nsw (i32 1, i32 1)",
    ),
    (
        "float",
        lambda m: ConstantExpression(m.f32, "cast", [m.one], 6),
        "sitofp (i32 1 to float)",
    ),
)


@pytest.mark.fast
@pytest.mark.parametrize(("type", "make", "text"), CONSTANTS)
def test_constants(type: str, make: object, text: str, everything: Everything) -> None:
    value: DxilValue = make(everything)  # type: ignore[operator]
    assert TextWriter(everything.module).typed(value) == f"{type} {text}"


@pytest.mark.parametrize(
    ("type", "bits", "text"),
    [
        ("float", 0x3F800000, "1.000000e+00"),
        ("float", 0x80000000, "-0.000000e+00"),
        ("float", 0x3DCCCCCD, "0x3FB99999A0000000"),
        ("float", 0x7FC00001, "0x7FF8000020000000"),
        ("double", 0x3FB999999999999A, "1.000000e-01"),
        ("double", 0x3FB999999999999B, "0x3FB999999999999B"),
        ("double", 0x7FF0 << 48, "0x7FF0000000000000"),
        ("half", 0x3C00, "0xH3C00"),
        ("x86_fp80", 0x3FFF << 64 | 1 << 63, "0xK3FFF8000000000000000"),
        ("fp128", 0x3FFF << 112 | 7, "0xL00000000000000073FFF000000000000"),
    ],
)
def test_floats(type: str, bits: int, text: str, everything: Everything) -> None:
    value = ConstantFloat(everything.module.types.floating(type), bits)
    assert TextWriter(everything.module).operand(value) == text


def debug_node(row_name: str, /, **fields: object) -> DebugNode:
    row = next(each for each in DEBUG_ROWS.values() if each.name == row_name)
    values = [
        fields.get(field, 0 if kind in "itfbs" else None)
        for field, kind in zip(row.names, row.kinds, strict=True)
    ]
    return DebugNode(row, values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (debug_node("DISubrange", count=-1), "!DISubrange(count: -1)"),
        (debug_node("DIFile"), '!DIFile(filename: "", directory: "")'),
        (
            debug_node("DIBasicType", tag=0x24, name=MetadataString("int"), size=32, encoding=5),
            '!DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)',
        ),
        (
            debug_node("DILocalVariable", tag=0x101, name=MetadataString("x")),
            '!DILocalVariable(tag: DW_TAG_arg_variable, name: "x", arg: 0, scope: null)',
        ),
        (
            debug_node("DILocalVariable", tag=0x100, name=MetadataString("x")),
            '!DILocalVariable(tag: DW_TAG_auto_variable, name: "x", scope: null)',
        ),
        (
            debug_node("DISubroutineType", flags=0x10101 | 2),
            "!DISubroutineType(flags: DIFlagPublic | DIFlagPrototyped | 65536, types: null)",
        ),
    ],
)
def test_debug_nodes(node: DebugNode, text: str, everything: Everything) -> None:
    assert TextWriter(everything.module).node(node) == text


@pytest.mark.parametrize(
    ("elements", "text"),
    [
        ([], "!DIExpression()"),
        ([0x9D, 32, 32], "!DIExpression(DW_OP_bit_piece, 32, 32)"),
        ([0x06, 0x22, 4], "!DIExpression(DW_OP_deref, DW_OP_plus, 4)"),
        ([0x9D, 32], "!DIExpression(157, 32)"),
        ([0x9D, 0, 1, 6], "!DIExpression(157, 0, 1, 6)"),
    ],
)
def test_expressions_that_are_not_valid_are_numbers(
    elements: list[int], text: str, everything: Everything
) -> None:
    node = debug_node("DIExpression")
    node.rest = list(elements)
    assert TextWriter(everything.module).node(node) == text


def test_metadata_may_nest_deeply(everything: Everything) -> None:
    node = MetadataNode([])
    for _ in range(20_000):
        node = MetadataNode([node])
    everything.module.named_metadata[1].nodes = [node]
    assert disassemble(everything.module).count("= !{") > 20_000


@pytest.mark.parametrize("count", [1, 2])
def test_nested_constants_are_bounded(count: int, everything: Everything) -> None:
    types = everything.module.types
    value: DxilValue = everything.one
    for _ in range(10_000):
        type = everything.pair if count == 1 else types.literal([value.type] * 2)
        value = ConstantAggregate(type, [value] * count)
        if count == 2 and type.size > 1000:
            break
    everything.module.variables[0].initializer = value
    if count == 1:
        assert len(disassemble(everything.module)) > 10_000
    for _ in range(30):
        value = ConstantAggregate(everything.pair, [value, value])
    everything.module.variables[0].initializer = value
    with pytest.raises(LimitError, match="sharing"):
        disassemble(everything.module, Limits(sharing=1 << 10))


def test_unnamed_values_count_arguments_blocks_and_results(everything: Everything) -> None:
    for block in everything.main.blocks:
        assert isinstance(block, BasicBlock)
        block.name = ""
    text = disassemble(everything.module)
    assert "define void @main(i32 %n, i32*, <4 x i32>, float)" in text
    assert "  br label %22\n\n; <label>:22 " in text


def test_strings_and_inline_assembly(everything: Everything) -> None:
    texts = everything.module.types.array(3, everything.module.types.integer(8))
    writer = TextWriter(everything.module)
    assert writer.operand(ConstantString(texts, b'a"\n', False)) == 'c"a\\22\\0A"'
    assert writer.operand(ConstantString(texts, b"ab", True)) == 'c"ab\\00"'
    words = ("sideeffect ", "alignstack ", "inteldialect ")
    for flags in range(8):
        value = InlineAssembly(everything.i32, flags, 'mov "x"', "=r,r")
        given = "".join(word for at, word in enumerate(words) if flags >> at & 1)
        assert writer.operand(value) == f'asm {given}"mov \\22x\\22", "=r,r"'


@pytest.mark.parametrize(
    ("opcodes", "expected"),
    [
        ("add sub mul shl", ["", " nuw", " nsw", " nuw nsw"]),
        ("udiv sdiv lshr ashr", ["", " exact", "", " exact"]),
        ("fadd fsub fmul fdiv frem fcmp", ["", " fast", " nnan", " fast"]),
        ("urem srem and or xor icmp", [""] * 4),
    ],
)
def test_flags_of_operations(opcodes: str, expected: list[str]) -> None:
    for opcode in opcodes.split():
        assert [flags_text(opcode, flags) for flags in range(4)] == expected, opcode
    assert flags_text("add", None) == ""


def test_fast_flags() -> None:
    """Each flag is a bit from the second on; the lowest is all of them."""
    names = (" nnan", " ninf", " nsz", " arcp")
    for bits in range(16):
        words = "".join(name for at, name in enumerate(names) if bits >> at & 1)
        assert flags_text("fmul", bits << 1) == words
        assert flags_text("fmul", bits << 1 | 1) == " fast"
        exact = " fast" if bits == 15 else f" fast({bits << 1 | 1})"
        assert flags_text("fmul", bits << 1 | 1, exact=True) == exact
