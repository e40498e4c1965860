"""Vectors of all lanes as vectors of 128 bits."""

import pytest

from unshade.vm.jit.codegen.narrow import narrowed, split_items


def rewritten(*lines: str, width: int = 8) -> list[str]:
    """Return the lines of a block."""
    found, _ = narrowed(["entry:", *(f"  {line}" for line in lines)], width)
    return [line.strip() for line in found][1:]


def test_what_is_done_to_each_lane_is_done_to_pieces() -> None:
    found = rewritten(
        "%r1 = load <8 x float>, ptr %p, align 4",
        "%r2 = fmul contract <8 x float> %r1, splat (float 2.0)",
        "store <8 x float> %r2, ptr %p, align 4",
    )
    assert "%piece4 = fmul contract <4 x float> %piece1, splat (float 2.0)" in found
    assert found[-1] == "store <4 x float> %piece5, ptr %piece6, align 4"
    assert found[-2] == "%piece6 = getelementptr i8, ptr %p, i64 16"
    assert not any("<8 x" in line for line in found)


def test_constants_are_cut() -> None:
    one, two = rewritten("%r1 = add <8 x i32> zeroinitializer, <i32 0, i32 1, i32 2, i32 3, "
                         "i32 4, i32 5, i32 6, i32 7>")  # fmt: skip
    assert one.endswith("zeroinitializer, <i32 0, i32 1, i32 2, i32 3>")
    assert two.endswith("zeroinitializer, <i32 4, i32 5, i32 6, i32 7>")


def test_64_bits_have_two_lanes() -> None:
    found = rewritten(
        "%r1 = load <8 x float>, ptr %p, align 4",
        "%r2 = fpext <8 x float> %r1 to <8 x double>",
        "%r3 = fcmp olt <8 x double> %r2, zeroinitializer",
        "%r4 = select <8 x i1> %r3, <8 x float> %r1, <8 x float> zeroinitializer",
    )
    assert sum("fpext <2 x float>" in line for line in found) == 4
    assert sum("fcmp olt <2 x double>" in line for line in found) == 4
    assert sum("select <4 x i1> %piece" in line for line in found) == 2


def test_intrinsics_are_declared_with_their_lanes() -> None:
    lines = [
        "entry:",
        "  %r1 = call <8 x float> @llvm.sqrt.v8f32(<8 x float> zeroinitializer)",
        "  %r2 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %p, i32 4, "
        "<8 x i1> splat (i1 true), <8 x float> zeroinitializer)",
    ]
    found, declared = narrowed(lines, 8)
    assert declared["llvm.sqrt.v4f32"] == "declare <4 x float> @llvm.sqrt.v4f32(<4 x float>)"
    assert declared["llvm.masked.load.v4f32.p0"].endswith("(ptr, i32, <4 x i1>, <4 x float>)")
    assert sum("getelementptr i8, ptr %p, i64 16" in line for line in found) == 1


def test_other_instructions_take_whole_vectors() -> None:
    found = rewritten(
        "%r1 = load <8 x i32>, ptr %p, align 4",
        "%x = extractelement <8 x i32> %r1, i64 5",
    )
    joined = "shufflevector <4 x i32> %piece1, <4 x i32> %piece3, <8 x i32> <i32 0, i32 1, i32 2"
    assert any(joined in line for line in found)
    assert "extractelement <8 x i32> %piece" in found[-1]


def test_scalars_are_left_alone() -> None:
    lines = ["%x = add i32 %a, %b", "br label %done"]
    assert rewritten(*lines) == lines


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("", [""]),
        ("a, b", ["a", "b"]),
        ("<2 x i32> <i32 1, i32 2>, %a, ", ["<2 x i32> <i32 1, i32 2>", "%a", ""]),
        ("<2 x i32> <i32 1, i32 2>, ptr (a, b), [c, %d]",
         ["<2 x i32> <i32 1, i32 2>", "ptr (a, b)", "[c, %d]"]),
    ],
)  # fmt: skip
def test_items(text: str, items: list[str]) -> None:
    assert split_items(text) == items
