"""Simplification of kernels with a known result."""

import pytest

from tests.oracle.parsing import parse_kernel
from unshade.ir.printing import print_kernel
from unshade.ir.simplify import simplify

HEAD = """\
memory %c constant 16
memory %u buffer 4 writable
memory %t table 4 count 2 data 0700000009000000
var @a i32
var @b i32
"""


def statements(text: str) -> list[str]:
    kernel = simplify(parse_kernel(HEAD + text))
    return print_kernel(kernel).partition("\n\n")[2].splitlines()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("iadd %0, i32 0", "%0"),
        ("isub %0, %0", "i32 0"),
        ("isub %0, i32 3", "iadd %0, i32 -3"),
        ("iadd i32 3, %0", "iadd %0, i32 3"),
        ("imul %0, i32 16", "ishl %0, i32 4"),
        ("imul %0, i32 -1", "ineg %0"),
        ("udiv %0, i32 8", "ushr %0, i32 3"),
        ("urem %0, i32 8", "and %0, i32 7"),
        ("idiv %0, i32 8", "idiv %0, i32 8"),
        ("and %0, i32 -1", "%0"),
        ("xor %0, i32 -1", "not %0"),
        ("umin %0, i32 0", "i32 0"),
        ("ult %0, i32 0", "bool false"),
        ("ule i32 0, %0", "bool true"),
        ("fadd %1, f32 -0.0", "fcanonicalise %1"),
        ("fadd %1, f32 0.0", "fadd %1, f32 0.0"),
        ("fsub %1, f32 0.0", "fcanonicalise %1"),
        ("fmul %1, f32 1.0", "fcanonicalise %1"),
        ("fmul %1, f32 0.0", "fmul %1, f32 0.0"),
        ("fdiv %1, f32 -4.0", "fmul %1, f32 -0.25"),
        ("fdiv %1, f32 3.0", "fdiv %1, f32 3.0"),
        ("feq %1, %1", "feq %1, %1"),
        ("flt %1, %1", "bool false"),
        ("fmin %1, %1", "fcanonicalise %1"),
    ],
)
def test_one_operation(text: str, expected: str) -> None:
    lines = [
        "%0 = load:i32 %u[i32 0, i32 0]",
        "%1 = load:f32 %u[i32 1, i32 0]",
        f"%2 = {text}",
        'message "seen", %0, %1, %2',
    ]
    found = statements("\n".join(lines))
    made = found[2].removeprefix("%2 = ") if found[2].startswith("%2") else None
    last = found[-1].split(", ")
    assert (made or last[3]) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["iadd %0, i32 1", "iadd %1, i32 2"], ["iadd %0, i32 3"]),
        (["ishl %0, i32 2", "ushr %1, i32 2"], ["and %0, i32 0x3fffffff"]),
        (["imul %0, i32 16", "ushr %1, i32 2"], ["and %0, i32 0xfffffff", "ishl %1, i32 2"]),
        (["asfloat %0", "asint %1"], []),
        (["asfloat %0", "fneg %1", "asint %2"], ["xor %0, i32 0x80000000"]),
        (["iadd %0, i32 7", "ieq %1, i32 9", "select %2, i32 1, i32 2"],
         ["ieq %0, i32 2", "select %1, i32 1, i32 2"]),
        (["ieq %0, i32 2", "select %1, i32 -1, i32 0", "ine %2, i32 0"], ["ieq %0, i32 2"]),
        (["ilt %0, i32 2", "not %1"], ["ile i32 2, %0"]),
        (["uconv:i64 %0", "uconv:i32 %1"], []),
        (["and %0, i32 7", "ult %1, i32 8"], []),
        (["and %0, i32 7", "and %1, i32 15"], ["and %0, i32 7"]),
        (["and %0, i32 7", "ushr %1, i32 3"], []),
    ],
)  # fmt: skip
def test_chains_of_operations(lines: list[str], expected: list[str]) -> None:
    text = ["%0 = load:i32 %u[i32 0, i32 0]"]
    text += [f"%{number} = {line}" for number, line in enumerate(lines, 1)]
    text.append(f'message "seen", %{len(lines)}')
    found = statements("\n".join(text))
    assert found[1:-1] == [f"%{number} = {line}" for number, line in enumerate(expected, 1)]


def test_lane_addresses_do_not_overflow() -> None:
    text = """
%0 = source thread_id.x
%1 = imul %0, i32 16
%2 = iadd %1, i32 8
%3 = ushr %2, i32 2
%4 = load:i32 %c[%3, i32 0]
message "seen", %4
"""
    assert statements(text)[1:3] == ["%1 = ishl %0, i32 2", "%2 = iadd %1, i32 2"]


def test_variables_are_forwarded() -> None:
    text = """
%0 = load:i32 %u[i32 0, i32 0]
set @a, %0
%1 = ieq %0, i32 4
if %1 {
  %2 = get @a
  %3 = get @b
  %4 = iadd %2, %3
  message "in", %4
} else {
  set @b, i32 1
}
%5 = get @a
%6 = get @b
message "out", %5, %6
"""
    # @b is 0 until it is set; where it was set it is read once more.
    assert statements(text) == [
        "%0 = load:i32 %u[i32 0, i32 0]",
        "%1 = ieq %0, i32 4",
        "if %1 {",
        '  message "in", %0',
        "} else {",
        "  set @b, i32 1",
        "}",
        "%2 = get @b",
        'message "out", %0, %2',
    ]


def test_conditions_are_known_in_their_branches() -> None:
    text = """
%0 = load:i32 %u[i32 0, i32 0]
%1 = ieq %0, i32 4
%2 = ult %0, i32 9
%3 = and %1, %2
if %3 {
  message "both", %1, %2
} else {
  message "not both", %3
}
"""
    found = statements(text)
    assert '  message "both", bool true, bool true' in found
    assert '  message "not both", bool false' in found


def test_constant_branches_are_removed() -> None:
    text = """
if bool true {
  message "one"
} else {
  message "two"
}
switch i32 2 {
  case 1 {
    message "three"
  }
  case 2 {
    message "four"
    break
  }
}
loop {
  message "five"
  break
}
if bool false {
} else {
}
return
"""
    assert statements(text) == ['message "one"', 'message "four"', 'message "five"']


def test_a_branch_that_leaves_has_no_else() -> None:
    text = """
loop {
  %0 = load:i32 %u[i32 0, i32 0]
  %1 = ieq %0, i32 0
  if %1 {
    message "stay"
  } else {
    break
  }
  message "again"
}
"""
    assert statements(text)[2:] == [
        "  %1 = ine %0, i32 0",
        "  if %1 {",
        "    break",
        "  }",
        '  message "stay"',
        '  message "again"',
        "}",
    ]


def test_unobserved_code_is_removed() -> None:
    text = """
%0 = load:i32 %u[i32 0, i32 0]
loop {
  %1 = get @a
  %2 = iadd %1, i32 1
  set @a, %2
  %3 = ieq %0, i32 0
  if %3 {
    break
  }
}
%4 = atomic_add %u[i32 0, i32 0], i32 1
"""
    found = statements(text)
    assert not any("@a" in each for each in found)
    assert found[-1].startswith("%2 = atomic_add")


def test_repeated_loads_of_read_only_memory_are_merged() -> None:
    text = """
%0 = load:i32 %c[i32 0, i32 4]
%1 = load:i32 %c[i32 0, i32 4]
%2 = load:i32 %u[i32 0, i32 0]
%3 = load:i32 %u[i32 0, i32 0]
%4 = load:i32 %t[i32 1, i32 0]
%5 = load:i32 %t[i32 2, i32 0]
message "seen", %0, %1, %2, %3, %4, %5
"""
    assert statements(text)[-1] == 'message "seen", %0, %0, %1, %2, i32 9, i32 0'


def test_a_reused_register_is_split() -> None:
    text = """
%0 = load:f32 %u[i32 0, i32 0]
set @a, i32 0
loop {
  %1 = get @a
  %2 = iadd %1, i32 1
  set @a, %2
  %3 = ult i32 9, %2
  if %3 {
    break
  }
}
%4 = get @a
message "count", %4
set @a, i32 0
loop {
  %5 = get @a
  %6 = asfloat %5
  %7 = fadd %6, %0
  %8 = asint %7
  set @a, %8
  %9 = flt f32 9.0, %7
  if %9 {
    break
  }
}
%10 = get @a
message "sum", %10
"""
    kernel = simplify(parse_kernel(HEAD + text))
    assert sorted(var.type.name for var in kernel.variables) == ["f32", "i32"]
    assert sum(value.op.name == "asfloat" for value in kernel.values()) == 0


def test_simplification_is_idempotent() -> None:
    from tests.ir.generate import generate

    for seed in range(4):
        kernel = simplify(generate(seed).kernel)
        text = print_kernel(kernel)
        assert print_kernel(simplify(kernel)) == text


def test_small_ifs_become_selects() -> None:
    text = """
%0 = load:i32 %u[i32 0, i32 0]
%1 = atomic_add %u[i32 0, i32 0], i32 1
set @a, %1
%2 = ieq %0, i32 4
if %2 {
  %3 = iadd %0, %1
  set @a, %3
}
%4 = get @a
message "seen", %4
"""
    assert statements(text)[2:] == [
        "%2 = ieq %0, i32 4",
        "%3 = iadd %0, %1",
        "%4 = select %2, %3, %1",
        'message "seen", %4',
    ]


def test_ifs_with_effects_are_kept() -> None:
    text = """
%0 = load:i32 %u[i32 0, i32 0]
%1 = ieq %0, i32 4
if %1 {
  %2 = load:i32 %u[i32 1, i32 0]
  set @a, %2
}
%3 = get @a
message "seen", %3
"""
    assert "if %1 {" in statements(text)


def test_loop_invariants_are_hoisted() -> None:
    text = """
%0 = load:i32 %u[i32 0, i32 0]
loop {
  %1 = load:i32 %c[i32 0, i32 4]
  %2 = iadd %0, %1
  %3 = load:i32 %u[%2, i32 0]
  %4 = load:i32 %c[%0, i32 4]
  message "round", %3, %4
  %5 = ieq %3, %4
  if %5 {
    break
  }
}
"""
    found = statements(text)
    assert found[:6] == [
        "%0 = load:i32 %u[i32 0, i32 0]",
        "%1 = load:i32 %c[i32 0, i32 4]",
        "%2 = iadd %0, %1",
        "loop {",
        "  %3 = load:i32 %u[%2, i32 0]",
        "  %4 = load:i32 %c[%0, i32 4]",
    ]


def test_a_block_without_exits_is_inlined() -> None:
    text = """
%0 = load:i32 %u[i32 0, i32 0]
%1 = ieq %0, i32 3
block $0 {
  message "first"
  if %1 {
    message "then"
    exit $0
  } else {
    message "else"
  }
  exit $0
}
message "last"
"""
    assert [line.strip() for line in statements(text)[2:]] == [
        *('message "first"', "if %1 {", 'message "then"', "} else {", 'message "else"', "}"),
        'message "last"',
    ]


def test_variables_after_a_block_join_all_its_exits() -> None:
    text = """
%0 = load:i32 %u[i32 0, i32 0]
%1 = ieq %0, i32 3
set @a, i32 5
set @b, i32 7
block $0 {
  loop {
    if %1 {
      set @a, i32 6
      exit $0
    }
    message "round"
  }
}
%2 = get @a
%3 = get @b
message "seen", %2, %3
"""
    assert statements(text)[-1] == 'message "seen", i32 6, i32 7'
