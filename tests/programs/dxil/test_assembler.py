"""LLVM assembly to modules."""

import random

import pytest

from tests.programs.dxil.modules import Everything, part, saxpy
from unshade.errors import AssembleError
from unshade.isa.source import Source
from unshade.programs.dxil import Code, DxilModule
from unshade.programs.dxil.assembler import assemble, tokens
from unshade.programs.dxil.assembler.tokens import AssemblyTokens
from unshade.programs.dxil.exact import exact_lines, read_code
from unshade.programs.dxil.model.constants import (
    ConstantData,
    ConstantFloat,
    ConstantInt,
    ConstantNull,
    ConstantString,
)
from unshade.programs.dxil.model.instructions import AllocaInst, BinaryInst, BranchInst, PhiInst
from unshade.programs.dxil.model.values import UseListOrder
from unshade.programs.dxil.text import disassemble

FUNCTION = "define void @main() {{\n{}\n  ret void\n}}\n"


def made_from(text: str) -> DxilModule:
    return assemble(Source(text))


def in_bytes(module: DxilModule) -> DxilModule:
    """Return a module as it is read after it was written."""
    code = saxpy()
    code.module = module
    code.rewrite()
    return Code.decode(code.encode()).module


def test_a_module_of_dxc() -> None:
    text = disassemble(saxpy().module)
    assert disassemble(made_from(text)) == text


def test_every_kind_of_instruction() -> None:
    text = disassemble(Everything().module)
    opcodes = {each.opcode for each in Everything().main.instructions}
    assert {"invoke", "landingpad", "resume", "va_arg", "insertvalue"} <= opcodes
    assert disassemble(made_from(text)) == text


def test_alloca_inalloca_is_bit_5_of_its_flags() -> None:
    module = made_from("define void @f() {\n  %1 = alloca inalloca i32, align 4\n  ret void\n}\n")
    (made, _) = module.functions[0].instructions
    assert isinstance(made, AllocaInst)
    assert (made.inalloca, made.alignment, made.flags) == (1, 4, 1 << 6 | 1 << 5 | 3)


def test_values_may_be_used_before_they_are_defined() -> None:
    body = (
        "  br label %a\n"
        "a:\n"
        "  %x = phi i32 [ 0, %0 ], [ %y, %a ]\n"
        "  %y = add i32 %x, 1\n"
        "  br i1 true, label %a, label %1\n"
    )
    module = made_from(FUNCTION.format(body))
    first, loop, last = module.functions[0].blocks
    phi, add, branch = loop.instructions
    assert isinstance(phi, PhiInst)
    assert phi.incoming[0][1] is first
    assert phi.incoming[1] == (add, loop)
    assert isinstance(branch, BranchInst)
    assert branch.false_target is last


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[2 x i32] [i32 1, i32 2]", ConstantData),
        ("[2 x i32] [i32 0, i32 0]", ConstantNull),
        ('[3 x i8] c"ab\\00"', ConstantString),
        ("<2 x float> <float 1.0, float -2.0>", ConstantData),
        ("i32 0", ConstantNull),
        ("float 0.0", ConstantNull),
    ],
)
def test_constants_are_what_llvm_keeps(text: str, kind: type) -> None:
    (variable,) = made_from(f"@x = global {text}\n").variables
    assert isinstance(variable.initializer, kind)


@pytest.mark.parametrize(
    "line",
    [
        "@a = internal unnamed_addr addrspace(3) global [4 x float] undef, align 4",
        '@"\\01?b@@3" = external constant %x, align 4',
        "@c = global float 0x3FB99999A0000000",
        "@d = global half 0xH3C00",
        "@e = global fp128 0xL00000000000000073FFF000000000000",
        "@f = global double 0x7FF0000000000000",
        "@g = global i8* bitcast (i32* @h to i8*)",
        "@h = global i32 -5",
        "@i = global i1 true",
        "@j = global { i32, i1 } { i32 1, i1 true }",
        "@k = global i32* getelementptr inbounds ([4 x i32], [4 x i32]* @l, i32 0, i32 1)",
        "@l = global [4 x i32] zeroinitializer",
        "@m = global <{ i8, i32 }> <{ i8 1, i32 2 }>",
        "@n = external thread_local(localexec) global i32 (i32, ...)*",
    ],
)
def test_globals(line: str) -> None:
    text = "%x = type opaque\n@h = global i32 -5\n@l = global [4 x i32] zeroinitializer\n"
    if not line.startswith(("@h", "@l")):
        text += f"{line}\n"
    assert line in disassemble(made_from(text)).splitlines()


@pytest.mark.parametrize("width", [1, 2, 7, 8, 16, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 200])
def test_integers_of_every_width_come_back_from_bytes(width: int) -> None:
    """Up to 64 bits a rotated number, else a list of rotated words of 64 bits."""
    least, most = -(1 << width - 1), (1 << width - 1) - 1
    if width > 1:
        given = {least, least + 1, -1, 1, 2, most - 1, most, most // 3, least // 3, 1 << width // 2}
        given = {each for each in given if least <= each <= most and each}
    else:
        given = {-1}
    for value in sorted(given):
        written = "true" if width == 1 else value
        module = in_bytes(made_from(f"@x = global i{width} {written}\n"))
        (variable,) = module.variables
        assert isinstance(variable.initializer, ConstantInt)
        assert variable.initializer.value == value


@pytest.mark.parametrize(
    ("type", "one", "width"),
    [
        ("half", "0xH3C00", 16), ("float", "1.0", 32), ("double", "1.0", 64),
        ("x86_fp80", "0xK3FFF8000000000000000", 80),
        ("fp128", "0xL00000000000000003FFF000000000000", 128),
    ],
)  # fmt: skip
def test_floats_of_every_width_come_back_from_bytes(type: str, one: str, width: int) -> None:
    for bits in (1, 1 << width - 1, (1 << width - 1) - 1, (1 << width) - 1, 0x3C00, 0x1234):
        module = made_from(f"@x = global {type} {one}\n")
        (variable,) = module.variables
        assert isinstance(variable.initializer, ConstantFloat)
        variable.initializer = ConstantFloat(variable.initializer.type, bits)
        (again,) = in_bytes(module).variables
        assert isinstance(again.initializer, ConstantFloat)
        assert again.initializer.bits == bits


def test_flags_of_exact_text() -> None:
    body = "  %1 = fadd fast float 1.0, 2.0\n  %2 = fadd fast(29) float 1.0, 2.0"
    first, second, _ = made_from(FUNCTION.format(body)).functions[0].instructions
    assert isinstance(first, BinaryInst)
    assert isinstance(second, BinaryInst)
    assert (first.flags, second.flags) == (31, 29)


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ('target colour = "x"\n', "expected datalayout or triple, got 'colour'", 1),
        ("\n@x = global i32 %y\n", "expected a constant, got a value of a function", 2),
        ("@x = global i32 1.5\n", "expected an integer, got '1.5'", 1),
        ("@x = global float i32\n", "expected a value, got 'i32'", 1),
        ("@x = global i32* @y\n", "unknown global @y", 1),
        ("@x = global i32 1\n@x = global i32 1\n", "expected one definition of @x", 2),
        ("@x = global [2 x i32] [i32 1]\n", "expected a value of type", 1),
        ("@x = global float 0x3FB9999999999999z\n", "expected the end of the line", 1),
        (FUNCTION.format("  %1 = add i32 1, %7"), "unknown value %7", 2),
        (FUNCTION.format("  br label %7\n"), "unknown block %7", 2),
        (FUNCTION.format("  %2 = add i32 1, 2\n  %2 = add i32 1, 2"), "expected one definition", 3),
        (FUNCTION.format("  %1 = sum i32 1, 2"), "unknown instruction 'sum'", 2),
        (FUNCTION.format("  %1 = icmp oeq i32 1, 2"), "unknown predicate 'oeq'", 2),
        (FUNCTION.format("  call void @f()"), "unknown global @f", 2),
        ("!0 = !{!1}\n", "unknown metadata '!1'", 1),
        ("!0 = !{metadata !0}\n", "expected a value, got metadata", 1),
        ("!0 = !DIThing(line: 1)\n", "unknown node '!DIThing'", 1),
        ("!0 = !DILocation(row: 1)\n", "expected another field of DILocation, got 'row'", 1),
        ("define void @f() #3 {\n  ret void\n}\n", "unknown attributes #3", 1),
        ("attributes #0 = { fancy }\n", "unknown attribute 'fancy'", 1),
        ("define void @f() {\n  ret void\n", "expected '}' after the body of @f", 1),
        ("define void @f() {\n  %1 = add i32 1, 2\n}\n", "expected an instruction that ends", 3),
        (FUNCTION.format("  %1 = fadd i32 1, 2"), "fadd: expected floats, got i32", 2),
        (FUNCTION.format("  %1 = udiv float 1.0, 2.0"), "udiv: expected integers, got float", 2),
        (FUNCTION.format("  %1 = mul <2 x half> undef, undef"), "expected integers, got <2 x", 2),
        ("@x = global i32 fadd (i32 1, i32 2)\n", "fadd: expected floats, got i32", 1),
        (FUNCTION.format("  %1 = extractvalue i32 3, 0\n"), "expected an element of i32, got 0", 2),
        ("\\x\n", "expected a token", 1),
        ("@x = global " + "[1 x " * 100 + "i8\n", "less nesting", 1),
        ("@x = global " + "{ i8 " * 100, "expected ','", 1),
    ],
)
def test_mistakes_have_a_place(text: str, problem: str, line: int) -> None:
    with pytest.raises(AssembleError) as caught:
        made_from(text)
    assert problem in str(caught.value)
    assert caught.value.line == line


LOOP = """\
define i32 @f(i32, i32) {
  %3 = add i32 %0, 7
  br label %4

; <label>:4                                       ; preds = %4, %2
  %5 = phi i32 [ %3, %2 ], [ %6, %4 ]
  %6 = mul i32 %5, %1
  %7 = icmp ult i32 %6, 100
  br i1 %7, label %4, label %8

; <label>:8                                       ; preds = %4
  %9 = sub i32 %6, %3
  ret i32 %9
}
"""


def body(text: str, *, strict: bool = False) -> str:
    """Return the functions of a module as they are printed."""
    printed = disassemble(assemble(Source(text), strict=strict))
    return printed[printed.index("define") :]


def test_a_deleted_line_leaves_a_gap() -> None:
    edited = LOOP.replace("  %3 = add i32 %0, 7\n", "").replace("%3, %2", "%0, %2")
    edited = edited.replace("%6, %3", "%6, %0")
    assert (
        body(edited)
        == """\
define i32 @f(i32, i32) {
  br label %3

; <label>:3                                       ; preds = %3, %2
  %4 = phi i32 [ %0, %2 ], [ %5, %3 ]
  %5 = mul i32 %4, %1
  %6 = icmp ult i32 %5, 100
  br i1 %6, label %3, label %7

; <label>:7                                       ; preds = %3
  %8 = sub i32 %5, %0
  ret i32 %8
}
"""
    )


def test_a_deleted_line_before_a_block() -> None:
    """The number of the block is in the comment of the listing."""
    edited = LOOP.replace("  %7 = icmp ult i32 %6, 100\n", "").replace("i1 %7", "i1 true")
    assert "  br i1 true, label %4, label %7\n\n; <label>:7 " in body(edited)
    bare = edited.replace("; <label>:8                                       ; preds = %4\n", "")
    with pytest.raises(AssembleError, match="unknown block %8"):
        made_from(bare)


def test_names_and_other_numbers_are_renumbered() -> None:
    named = LOOP.replace("%6", "%next").replace("%4", "%loop").replace("; <label>:4", "loop:")
    printed = body(named)
    assert "  br i1 %5, label %loop, label %6\n" in printed
    assert "  %next = mul i32 %4, %1\n" in printed
    spread = LOOP.replace("%9", "%90").replace("%5", "%77").replace("%3", "%1000")
    assert body(spread) == LOOP


def test_numbers_in_any_order() -> None:
    swapped = LOOP.replace("%5", "%x").replace("%6", "%5").replace("%x", "%6")
    assert body(swapped) == LOOP


def test_results_without_a_number_take_none_from_others() -> None:
    edited = LOOP.replace("  %6 = mul", "  mul i32 1, 2\n  %6 = mul").replace("  %3 =", "  ")
    printed = body(edited)
    assert "  %6 = mul i32 1, 2\n  %7 = mul i32 %5, %1\n" in printed


def test_labels_with_numbers() -> None:
    """Later versions of LLVM print `4:`, and numbers of arguments."""
    text = LOOP.replace("(i32, i32)", "(i32 %0, i32 %1)")
    text = text.replace("; <label>:4 ", "4: ").replace("; <label>:8 ", "8: ")
    assert body(text) == LOOP
    assert body(text, strict=True) == LOOP
    assert body(text.replace("8: ", "18: ").replace("%8", "%18")) == LOOP


@pytest.mark.parametrize(
    ("old", "new", "problem", "line"),
    [
        ("%9", "%10", "expected %9, got %10", 12),
        ("%7", "%more", "expected %8, got %9", 12),
    ],
)
def test_gaps_are_refused_on_request(old: str, new: str, problem: str, line: int) -> None:
    edited = LOOP.replace(old, new)
    with pytest.raises(AssembleError, match=problem) as caught:
        assemble(Source(edited), strict=True)
    assert caught.value.line == line


def test_numbers_of_metadata_and_attributes_may_have_gaps() -> None:
    text = """\
define void @f() #7 {
  ret void
}

attributes #7 = { nounwind }
!x = !{!30, !4}
!4 = !{!"a"}
!30 = !{!4}
"""
    module = made_from(text)
    assert disassemble(module).endswith('!x = !{!0, !1}\n\n!0 = !{!1}\n!1 = !{!"a"}\n')
    with pytest.raises(AssembleError, match="expected one definition of #7"):
        made_from(text + "attributes #7 = { readnone }\n")


@pytest.mark.slow
def test_deep_values_are_refused() -> None:
    type, value = "i32", "i32 1"
    for _ in range(60):
        type, value = f"{{ {type} }}", f"{{ {type} }} {{ {value} }}"
    made_from(f"@x = global {value}\n")
    text = "bitcast (i32* " * 2000 + "@x" + " to i32*)" * 2000
    with pytest.raises(AssembleError, match="less nesting"):
        made_from(f"@x = global i32 1\n@y = global i32* {text}\n")


def test_exact_text_is_the_same_program() -> None:
    lines = exact_lines(saxpy())
    assert lines[0] == ";! program 0x50066 0x106"
    assert not any(line.startswith(";! part") for line in lines)
    assert read_code(Source("\n".join(lines))).encode() == part()


def test_exact_text_of_a_program_with_other_numbers() -> None:
    code = Code.decode(part())
    code.trailing = b"more"
    data = code.encode()
    lines = exact_lines(Code.decode(data))
    assert any(line.startswith(";! part") for line in lines)
    assert read_code(Source("\n".join(lines))).encode() == data
    changed = [line.replace('!"main"', '!"other"') for line in lines]
    again = read_code(Source("\n".join(changed)))
    assert '!"other"' in disassemble(again.module)
    assert again.encode().endswith(b"more")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (";! colour red\n", "unknown directive 'colour'"),
        (";! program 1 2 3\n", "expected two hexadecimal numbers"),
        (";! part 0x\n", "expected the bytes of a part"),
        ("@x = global i32 1\n", "expected dx.version and dx.shaderModel"),
    ],
)
def test_mistakes_of_exact_text(text: str, problem: str) -> None:
    with pytest.raises(AssembleError, match=problem):
        read_code(Source(text))


def test_exact_text_of_a_program_with_orders_of_uses() -> None:
    body = "  br i1 true, label %a, label %b\na:\n  br label %b\nb:"
    made = read_code(Source(";! program 0x50060 0x100\n" + FUNCTION.format(body)))
    function = made.module.functions[0]
    function.use_lists = [UseListOrder(function.blocks[2], [1, 0])]
    made.rewrite()
    data = made.encode()
    lines = exact_lines(Code.decode(data))
    assert any(line.endswith("; preds = %0, %a") for line in lines)
    assert any(line.startswith(";! part") for line in lines)
    assert read_code(Source("\n".join(lines))).encode() == data


def test_a_range_without_end_is_negative() -> None:
    text = "\n!llvm.x = !{!0}\n\n!0 = !DISubrange(count: -1)\n"
    code = read_code(Source(";! program 0x50060 0x100\n" + text))
    found = Code.decode(code.encode())
    assert text in disassemble(found.module)
    found.rewrite()
    assert found.encode() == code.encode()


@pytest.mark.parametrize("pieces", [1, 3])
def test_tokens_are_made_in_pieces(pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "; note\n%1 = add i32 %0, 4 ; sum\n\n!7 = !{null}\n" * 600
    whole = [*AssemblyTokens(Source(text))]
    monkeypatch.setattr(tokens, "PIECES", pieces)
    table = AssemblyTokens(Source(text))
    order = random.Random(5).choices(range(len(table)), k=40)
    assert len(table) == len(whole) == 600 * 12 + 1
    assert [table[at] for at in order] == [whole[at] for at in order]
    assert table[-1] == tokens.AssemblyToken("end", "", len(text), True)
    assert table[7:12] == whole[7:12]
    assert [each.text for each in whole[:7]] == ["%1", "=", "add", "i32", "%0", ",", "4"]
    assert [each.is_first for each in whole[:8]] == [True, *[False] * 6, True]
    assert all(text[each.offset :].startswith(each.text) for each in whole)
