"""Each rule for integers: the operations that are left of others, by arithmetic modulo 2^32."""

from __future__ import annotations

from tests.ir.simplify.test_simplify import statements

# Of the values %0 and %1, the conditions %2 and %3, and the float %4.
GIVEN = [
    "%0 = load:i32 %u[i32 0, i32 0]",
    "%1 = load:i32 %u[i32 1, i32 0]",
    "%2 = ieq %0, i32 77",
    "%3 = ieq %1, i32 77",
    "%4 = load:f32 %u[i32 2, i32 0]",
]
RULES: list[tuple[list[str], list[str]]] = [
    # sums
    (["ineg %0", "iadd %1, %5"], ["isub %1, %0"]),
    (["ineg %0", "iadd %5, %1"], ["isub %1, %0"]),
    (["ineg %0", "isub %1, %5"], ["iadd %0, %1"]),
    (["isub i32 0, %0"], ["ineg %0"]),
    (["ineg %0", "ineg %5"], ["%0"]),
    (["isub %0, %1", "ineg %5"], ["isub %1, %0"]),
    (["isub %0, i32 5"], ["iadd %0, i32 -5"]),
    # products
    (["imul %0, i32 0"], ["i32 0"]),
    (["imul %0, i32 1"], ["%0"]),
    (["imul %0, i32 0x80000000"], ["ishl %0, i32 31"]),
    (["iadd %0, i32 5", "imul %5, i32 3"], ["imul %0, i32 3", "iadd %5, i32 15"]),
    (["ishl %0, i32 2", "imul %5, i32 3"], ["imul %0, i32 12"]),
    (["imul %0, i32 3", "ishl %5, i32 2"], ["imul %0, i32 12"]),
    # shifts: only the low 5 bits of the second operand count
    (["ishl %0, i32 32"], ["%0"]),
    (["ushr %0, i32 32"], ["%0"]),
    (["ishr %0, i32 0"], ["%0"]),
    (["ishl %0, i32 3", "ishl %5, i32 4"], ["ishl %0, i32 7"]),
    (["ishl %0, i32 16", "ishl %5, i32 16"], ["i32 0"]),
    (["ishl %0, i32 15", "ishl %5, i32 16"], ["ishl %0, i32 31"]),
    (["ushr %0, i32 3", "ushr %5, i32 4"], ["ushr %0, i32 7"]),
    (["ushr %0, i32 16", "ushr %5, i32 16"], ["i32 0"]),
    (["ushr %0, i32 3", "ishl %5, i32 3"], ["and %0, i32 -8"]),
    (["ushr %0, i32 3", "ishl %5, i32 4"], ["ushr %0, i32 3", "ishl %5, i32 4"]),
    (["ishl %0, i32 4", "ushr %5, i32 3"], ["and %0, i32 0xfffffff", "ishl %5, i32 1"]),
    (["ishl %0, i32 3", "ushr %5, i32 4"], ["and %0, i32 0x1fffffff", "ushr %5, i32 1"]),
    (["iadd %0, i32 5", "ishl %5, i32 2"], ["ishl %0, i32 2", "iadd %5, i32 20"]),
    (["and %0, i32 240", "iadd %5, i32 7", "ushr %6, i32 4"],
     ["and %0, i32 240", "ushr %5, i32 4"]),
    (["and %0, i32 255", "iadd %5, i32 16", "ushr %6, i32 4"],
     ["and %0, i32 255", "ushr %5, i32 4", "iadd %6, i32 1"]),
    (["iadd %0, i32 16", "ushr %5, i32 4"], ["iadd %0, i32 16", "ushr %5, i32 4"]),
    (["and %0, i32 255", "ishr %5, i32 2"], ["and %0, i32 255", "ushr %5, i32 2"]),
    (["ushr %0, i32 1", "ishr %5, i32 2"], ["ushr %0, i32 3"]),
    # quotients and remainders
    (["and %0, i32 7", "udiv %5, i32 9"], ["i32 0"]),
    (["and %0, i32 7", "udiv %5, i32 7"], ["and %0, i32 7", "udiv %5, i32 7"]),
    (["and %0, i32 7", "urem %5, i32 9"], ["and %0, i32 7"]),
    (["and %0, i32 7", "urem %5, i32 7"], ["and %0, i32 7", "urem %5, i32 7"]),
    (["and %0, i32 7", "idiv %5, i32 3"], ["and %0, i32 7", "udiv %5, i32 3"]),
    (["and %0, i32 7", "irem %5, i32 3"], ["and %0, i32 7", "urem %5, i32 3"]),
    (["and %0, i32 7", "idiv %5, i32 -3"], ["and %0, i32 7", "idiv %5, i32 -3"]),
    (["idiv %0, i32 3"], ["idiv %0, i32 3"]),
    (["idiv %0, i32 1"], ["%0"]),
    (["irem %0, i32 1"], ["i32 0"]),
    # the smaller and the larger
    (["imin %0, %0"], ["%0"]),
    (["umax %0, i32 0"], ["%0"]),
    (["umax %0, i32 -1"], ["i32 -1"]),
    (["imin %0, i32 0x7fffffff"], ["%0"]),
    (["imax %0, i32 0x80000000"], ["%0"]),
    (["imin %0, i32 0x80000000"], ["i32 0x80000000"]),
    (["imin %0, i32 0"], ["imin %0, i32 0"]),
    (["and %0, i32 7", "umin %5, i32 7"], ["and %0, i32 7"]),
    (["and %0, i32 7", "umax %5, i32 7"], ["i32 7"]),
    (["and %0, i32 7", "imin %5, i32 -1"], ["i32 -1"]),
    (["and %0, i32 7", "imax %5, i32 -1"], ["and %0, i32 7"]),
    # bits
    (["and %0, i32 0"], ["i32 0"]),
    (["and %0, %0"], ["%0"]),
    (["or %0, %0"], ["%0"]),
    (["or %0, i32 0"], ["%0"]),
    (["or %0, i32 -1"], ["i32 -1"]),
    (["xor %0, %0"], ["i32 0"]),
    (["xor %0, i32 0"], ["%0"]),
    (["select %2, i32 -1, i32 0", "and %5, %1"], ["select %2, %1, i32 0"]),
    (["select %2, i32 0, i32 -1", "and %1, %5"], ["select %2, i32 0, %1"]),
    (["select %2, i32 -1, i32 0", "select %3, i32 -1, i32 0", "or %5, %6"],
     ["or %2, %3", "select %5, i32 -1, i32 0"]),
    (["ishl %0, i32 4", "and %5, i32 15"], ["i32 0"]),
    (["ishl %0, i32 4", "and %5, i32 -16"], ["ishl %0, i32 4"]),
    # comparisons
    (["not %2"], ["ine %0, i32 77"]),
    (["ult %0, %1", "not %5"], ["ule %1, %0"]),
    (["ule %0, %1", "not %5"], ["ult %1, %0"]),
    (["ile %0, %1", "not %5"], ["ilt %1, %0"]),
    (["feq %4, f32 1.0", "not %5"], ["fne %4, f32 1.0"]),
    (["flt %4, f32 1.0", "not %5"], ["flt %4, f32 1.0", "not %5"]),
    (["select %2, i32 3, i32 5", "not %5"], ["select %2, i32 -4, i32 -6"]),
    (["ieq %0, %0"], ["bool true"]),
    (["ine %0, %0"], ["bool false"]),
    (["ieq %2, bool true"], ["%2"]),
    (["ine %2, bool false"], ["%2"]),
    (["select %2, i32 3, i32 5", "ieq %5, i32 3"], ["%2"]),
    (["select %2, i32 3, i32 5", "ine %5, i32 3"], ["ine %0, i32 77"]),
    (["select %2, i32 3, i32 5", "ieq %5, i32 4"], ["bool false"]),
    (["xor %0, i32 6", "ieq %5, i32 5"], ["ieq %0, i32 3"]),
    (["iadd %0, i32 6", "ine %5, i32 5"], ["ine %0, i32 -1"]),
    (["isub %0, %1", "ieq %5, i32 0"], ["ieq %0, %1"]),
    (["xor %0, %1", "ine %5, i32 0"], ["ine %0, %1"]),
    (["and %0, i32 7", "ieq %5, i32 8"], ["bool false"]),
    (["and %0, i32 7", "ine %5, i32 8"], ["bool true"]),
    (["and %0, i32 7", "ieq %5, i32 7"], ["and %0, i32 7", "ieq %5, i32 7"]),
    (["ult %0, %0"], ["bool false"]),
    (["ile %0, %0"], ["bool true"]),
    (["and %0, i32 7", "ult %5, i32 7"], ["and %0, i32 7", "ult %5, i32 7"]),
    (["and %0, i32 7", "ule %5, i32 7"], ["bool true"]),
    (["and %0, i32 7", "ult i32 7, %5"], ["bool false"]),
    (["and %0, i32 7", "ilt i32 -1, %5"], ["bool true"]),
    (["and %0, i32 7", "ilt %5, i32 -1"], ["bool false"]),
    (["and %0, i32 7", "ile %5, i32 -1"], ["bool false"]),
    # choices
    (["select bool true, %0, %1"], ["%0"]),
    (["select bool false, %0, %1"], ["%1"]),
    (["select %2, %0, %0"], ["%0"]),
    (["flt %4, f32 1.0", "not %5", "select %6, %0, %1"],
     ["flt %4, f32 1.0", "select %5, %1, %0"]),
    (["select %2, bool true, bool false"], ["%2"]),
    (["select %2, bool false, bool true"], ["ine %0, i32 77"]),
    (["select %2, bool true, %3"], ["or %2, %3"]),
    (["select %2, %3, bool false"], ["and %2, %3"]),
    (["select %2, %0, i32 5", "select %2, %5, %1"], ["select %2, %0, %1"]),
    (["select %2, i32 5, %1", "select %2, %0, %5"], ["select %2, %0, %1"]),
    (["asint %4", "select %2, %5, i32 0x3f800000"], ["select %2, %4, f32 1.0", "asint %5"]),
]  # fmt: skip


def left_of(lines: list[str]) -> list[str]:
    """Return the operations that are left of some, or the operand that is the result."""
    made = [f"%{number} = {line}" for number, line in enumerate(lines, len(GIVEN))]
    last = f"%{len(GIVEN) + len(lines) - 1}"
    seen = f'message "seen", %0, %1, %2, %3, %4, {last}'
    found = statements("\n".join([*GIVEN, *made, seen]))
    assert found[: len(GIVEN)] == GIVEN
    left = [each.partition(" = ")[2] for each in found[len(GIVEN) : -1]]
    return left or [found[-1].rpartition(", ")[2]]


def test_each_rule() -> None:
    wrong = [(lines, found) for lines, wanted in RULES if (found := left_of(lines)) != wanted]
    assert wrong == []
