"""The LLVM text of kernels: nothing in it that nothing uses."""

from unshade.ir.types import F32, I32
from unshade.vm.jit.codegen.llvm_text import FunctionText, Val, needed


def test_optional_instructions_are_left_out_if_nothing_uses_them() -> None:
    t = FunctionText(8)
    first = t.make_optional("add i32 1, 2")
    second = t.make_optional(f"add i32 {first}, 3")
    t.make_optional(f"add i32 {second}, 4")
    kept = t.make_optional("add i32 5, 6")
    t.put(f"ret i32 {kept}")
    assert needed(t.lines) == [f"  {kept} = add i32 5, 6", f"  ret i32 {kept}"]


def test_what_optional_instructions_use_is_kept_with_them() -> None:
    t = FunctionText(8)
    first = t.make_optional("add i32 1, 2")
    second = t.make_optional(f"mul i32 {first}, {first}")
    t.put(f"ret i32 {second}")
    assert needed(t.lines) == t.lines


def test_linear_values_that_are_only_addresses_are_no_vectors() -> None:
    t = FunctionText(8)
    found = t.linear(Val("%base", I32), 1)
    assert needed(t.lines) == []
    t.put(f"store <8 x i32> {found.text}, ptr %there")
    assert len(needed(t.lines)) == 4


def test_a_scalar_is_made_a_vector_once_in_each_block() -> None:
    t = FunctionText(8)
    one, two = t.splat(Val("%x", F32)), t.splat(Val("%x", F32))
    assert one.text == two.text
    t.begin("next")
    assert t.splat(Val("%x", F32)).text != one.text
