"""Uniformity of kernels with a known answer."""

from tests.oracle.parsing import parse_kernel
from unshade.ir.analysis.uniformity import UNIFORM, Uniformity, VectorShape, linear, uniformity
from unshade.ir.kernel import KernelIR

HEAD = """
kernel main compute group 64 1 1
memory %c constant 16
memory %t buffer 4
memory %x local 4 count 8 writable
var @a i32
var @b i32
var @n i32
%0 = source thread_id_in_group_flattened
%1 = source thread_group_id.x
%2 = load:i32 %c[i32 0, i32 0]
%3 = ult %0, %2
"""
SOURCES = {"thread_id_in_group_flattened": linear(1, 1 << 32), "thread_group_id.x": UNIFORM}


def found(text: str, lanes: int = 16) -> tuple[KernelIR, Uniformity]:
    kernel = parse_kernel(HEAD + text)
    return kernel, uniformity(kernel, SOURCES, lanes=lanes)


def strides(text: str, lanes: int = 16) -> list[int | None]:
    """Return the strides of the values after those of HEAD."""
    kernel, result = found(text, lanes)
    return [result.of(each).stride for each in kernel.values() if each.type.kind != "v"][4:]


def shapes(text: str, lanes: int = 16) -> list[str]:
    """Return the texts of the shapes of the values after those of HEAD."""
    kernel, result = found(text, lanes)
    return [repr(result.of(each)) for each in kernel.values() if each.type.kind != "v"][4:]


def variables(text: str) -> dict[str, str]:
    _, result = found(text)
    return {var.name: repr(shape) for var, shape in result.variables.items()}


def test_arithmetic_of_addresses() -> None:
    text = """
%4 = ishl %0, i32 4
%5 = iadd %4, %2
%6 = imul %5, i32 -3
%7 = isub %2, %0
%8 = imul %0, %2
%9 = iadd %0, %7
%10 = select %3, %0, %0
%11 = ineg %7
"""
    assert strides(text) == [16, 16, -48, -1, None, 0, 1, 1]


def test_shifts_and_masks_need_an_aligned_base() -> None:
    text = """
%4 = ishl %0, i32 2
%5 = ushr %4, i32 2
%6 = iadd %4, %2
%7 = ushr %6, i32 2
%8 = and %0, i32 15
%9 = ushr %0, i32 4
%10 = ushr %0, i32 3
%11 = and %4, i32 -4
%12 = or %4, i32 3
%13 = and %0, i32 255
%14 = and %0, i32 5
"""
    # What is added from memory may wrap around, so that %7 is unknown.
    assert strides(text) == [4, 1, 4, None, 1, 0, None, 4, 4, 1, None]
    assert shapes(text, lanes=0)[4:6] == ["linear(1) modulo 2^4", "varying"]


def test_bits_that_lanes_do_not_share_are_added() -> None:
    text = """
%4 = ishl %2, i32 4
%5 = iadd %4, %0
%6 = and %5, i32 63
%7 = ushr %5, i32 6
%8 = and %5, i32 -16
%9 = and %5, i32 7
%10 = and %0, i32 15
%11 = or %4, %10
%12 = xor %10, %4
%13 = or %2, %10
"""
    assert strides(text)[1:5] == [1, 1, 0, 0]
    assert shapes(text)[5] == "linear(1) modulo 2^3"
    assert strides(text)[6:] == [1, 1, 1, None]


def test_what_may_wrap_around_is_linear_modulo_fewer_bits() -> None:
    text = """
%4 = iadd %0, %2
%5 = and %4, i32 0x3fffffff
%6 = ishl %4, i32 2
%7 = iadd %6, i32 64
%8 = ushr %7, i32 2
%9 = iadd %5, i32 1
%10 = ishl %8, i32 2
%11 = ishl %8, i32 1
%12 = and %8, i32 255
%13 = ishr %7, i32 2
%14 = iadd %8, %8
"""
    reduced = "linear(1) modulo 2^30"
    assert shapes(text)[1:] == [
        reduced, "linear(4)", "linear(4)", reduced, "varying", "linear(4)", "varying",
        "linear(1) modulo 2^8", "varying", "varying",
    ]  # fmt: skip


def test_widening_needs_a_range_without_wrapping() -> None:
    text = """
%4 = uconv:i64 %0
%5 = iconv:i64 %0
%6 = iadd %0, %2
%7 = uconv:i64 %6
%8 = uconv:i16 %6
"""
    assert strides(text) == [1, 1, 1, None, 1]


def test_loads_follow_their_address() -> None:
    text = """
%4 = load:i32 %t[%2, i32 0]
%5 = load:i32 %t[%0, i32 0]
%6 = load:i32 %x[i32 0, i32 0]
%7 = count %t
"""
    assert strides(text) == [0, None, None, 0]


def test_a_variable_set_under_divergence_is_varying_after() -> None:
    text = "if %3 {\n set @a, i32 1\n}\nset @b, %2\n%4 = get @a\n%5 = get @b\n"
    assert strides(text) == [None, 0]
    _, result = found(text)
    assert [type(each).__name__ for each in result.divergent] == ["If"]


def test_a_variable_set_under_uniform_control_flow_is_uniform() -> None:
    text = """
%4 = ieq %2, i32 0
if %4 {
  set @a, i32 1
} else {
  set @a, %1
}
%5 = get @a
"""
    assert strides(text) == [0, 0]


def test_a_uniform_loop() -> None:
    text = """
loop {
  %4 = get @n
  %5 = ule %2, %4
  if %5 {
    break
  }
  %6 = iadd %4, i32 1
  set @n, %6
  %7 = get @a
  %8 = iadd %7, %0
  set @a, %8
}
%9 = get @n
"""
    assert strides(text) == [0, 0, 0, None, None, 0]
    assert variables(text) == {"a": "varying", "b": "uniform", "n": "uniform"}


def test_a_counter_is_uniform_in_a_divergent_loop() -> None:
    text = """
loop {
  %4 = get @n
  %5 = ule %0, %4
  if %5 {
    break
  }
  %6 = iadd %4, i32 1
  set @n, %6
}
"""
    assert strides(text) == [0, None, 0]
    assert variables(text)["n"] == "uniform"
    # Behind the loop they have left it at different counts.
    assert variables(text + "%7 = get @n\n")["n"] == "varying"


def test_lanes_that_continued_reconverge_at_the_head() -> None:
    text = """
loop {
  %4 = get @a
  %5 = ieq %4, i32 3
  if %5 {
    break
  }
  if %3 {
    continue
  }
  set @a, i32 3
}
"""
    assert strides(text) == [None, None]


def test_a_base_advanced_in_a_loop_stays_linear() -> None:
    text = """
set @a, %0
loop {
  %4 = get @a
  %5 = iadd %4, i32 64
  set @a, %5
  %6 = ult %2, %1
  if %6 {
    break
  }
}
"""
    assert strides(text) == [1, 1, 0]
    assert variables(text)["a"] == "linear(1)"


def test_sides_of_an_if_do_not_share_storage() -> None:
    """@a is uniform in both sides, but the second runs after the first has set it."""
    text = """
set @a, %1
if %3 {
  set @a, %2
  %4 = get @a
} else {
  %5 = get @a
}
"""
    assert variables(text)["a"] == "varying"


def test_a_switch_on_a_varying_value_diverges() -> None:
    text = "switch {} {{\n case 1 {{\n set @a, i32 1\n }}\n}}\n%4 = get @a\n"
    assert strides(text.format("%0")) == [None]
    assert strides(text.format("%2")) == [0]


def test_alignment_of_a_base() -> None:
    kernel, result = found("%4 = ishl %0, i32 3\n%5 = iadd %4, i32 4\n")
    last = list(kernel.values())[-1]
    assert result.of(last) == VectorShape(8, 4)


def test_lanes_that_exit_a_block_from_a_loop_in_different_iterations() -> None:
    text = """
block $0 {{
  loop {{
    %4 = get @n
    %5 = ult %2, %4
    if %5 {{
      exit $0
    }}
    %6 = iadd %4, i32 1
    set @n, %6
    %7 = ult {edge}, %4
    if %7 {{
      {leave}
    }}
  }}
}}
%8 = get @n
"""
    assert strides(text.format(edge="%2", leave="break"))[-1] == 0
    assert strides(text.format(edge="%0", leave="break"))[-1] is None
    assert strides(text.format(edge="%0", leave="exit $0"))[-1] is None
    # Those that broke in an iteration before wait after the loop: the first exit leaves them.
    kernel, result = found(text.format(edge="%0", leave="break"))
    first = next(each for each in kernel.values() if each.op.name == "exit")
    assert first in result.divergent
    kernel, result = found(text.format(edge="%2", leave="break"))
    assert not result.divergent
