"""Every rule for programs has a program that breaks it, and a valid program breaks none."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence

import pytest

from tests.programs.tpf.broken_programs import BROKEN, SOUND, i, o, one, pixel
from unshade.errors import UnshadeError
from unshade.programs.tpf import Program
from unshade.programs.tpf.verify import RULES, sound, verify

# The decoder reads as many operands as the table has: no file can have another number.
UNWRITABLE = {"tpf.operand-count"}


def codes(found: Program) -> set[str]:
    return {each.code for each in verify(found)}


def listed(found: Program) -> list[tuple[str, int | None]]:
    return [(str(each), each.offset) for each in verify(found)]


def in_full(data: bytes) -> Program:
    """Return a program of which nothing is known from others: its instructions can change."""
    found = Program.decode(data)
    assert found.instructions is found.listed
    return found


@pytest.mark.parametrize("name", SOUND)
def test_valid_programs_break_no_rule(name: str) -> None:
    found = SOUND[name]()
    assert [str(each) for each in verify(found)] == []
    assert [str(each) for each in verify(Program.decode(found.encode()))] == []


@pytest.mark.parametrize("code", RULES)
def test_every_rule_can_be_broken(code: str) -> None:
    """In the object model, and in a file encoded from it."""
    assert BROKEN.get(code), "a rule without a program that violates it"
    for make in BROKEN[code]:
        found = make()
        assert code in codes(found)
        if code not in UNWRITABLE:
            assert code in codes(Program.decode(found.encode()))


def test_every_broken_program_names_a_rule() -> None:
    assert set(BROKEN) <= set(RULES)


@pytest.mark.parametrize("name", ["itof", "utof"])
def test_conversions_to_float_can_clamp(name: str) -> None:
    found = pixel(i(name, o("r0.x"), one("r1.x"), bits=1 << 13))
    assert "tpf.saturate" not in codes(found)


def test_place_of_a_finding() -> None:
    found = pixel(i("mov", o("r0.x"), one("v2.x")))
    (finding,) = verify(found)
    assert finding.path == "instructions[8].operands[1]"
    assert finding.offset is not None
    data = found.encode()
    assert struct.unpack_from("<I", data, finding.offset)[0] == one("v2.x").words()[0]
    assert str(finding).endswith("v2 is not declared")


def test_many_findings_are_counted() -> None:
    found = verify(pixel(*[i("break")] * 100))
    assert len(found) == 64
    assert found[-1].message.endswith("(and 36 more)")


@pytest.mark.slow
def test_hostile_bytes_end_in_findings_or_our_errors() -> None:
    rng = random.Random(4)
    originals = [make().encode() for make in SOUND.values()]
    for _ in range(3000):
        data = bytearray(rng.choice(originals))
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(0, len(data), 4)
            kind = rng.randrange(3)
            if kind == 0:
                data[at + rng.randrange(4)] ^= 1 << rng.randrange(8)
            elif kind == 1:
                data[at : at + 4] = rng.choice((0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF)).to_bytes(
                    4, "little"
                )
            else:
                data[at : at + 4] = rng.randbytes(4)
        try:
            found = Program.decode(bytes(data))
        except UnshadeError:
            continue
        for each in verify(found):
            assert each.code in RULES
        assert listed(found) == listed(in_full(bytes(data)))


def test_what_was_sound_in_one_program_is_checked_where_it_depends_on_another() -> None:
    """Stage, model, flags, and declarations; each after a program in which the operand is sound."""
    low, precise = o("r0.x"), one("r1.x")
    low.min_precision = 1
    assert codes(pixel(i("mov", o("r0.x"), one("v1.x")))) == set()
    assert codes(pixel(i("mov", o("r0.x"), one("v1.x")), declare=(i("dcl_temps", words=(0,)),)))
    assert codes(pixel(i("mov", low, precise), flags=1 << 16)) == set()
    assert codes(pixel(i("mov", low, precise))) == {"tpf.feature"}


@pytest.mark.parametrize("code", RULES)
def test_broken_programs_after_others_with_the_same_instructions(code: str) -> None:
    for make in SOUND.values():
        verify(Program.decode(make().encode()))
    for make in BROKEN[code]:
        if code not in UNWRITABLE:
            data = make().encode()
            assert listed(Program.decode(data)) == listed(in_full(data))
            assert listed(Program.decode(data)) == listed(in_full(data))


VERTEX_FIRST = ("dcl_input v[1][1].xyz", "dcl_input v[2][1].xyz", "dcl_input v1.xyz")
DEPEND_ON_DECLARATIONS = (
    ("ps_4_0", "dcl_temps 2", "dcl_temps 1", "mov r1.x, r0.x"),
    ("ps_4_0", "dcl_temps 2", "", "mov r1.x, r0.x"),
    ("ps_4_0", "dcl_input_ps linear v1.xy", "dcl_input_ps linear v1.x", "mov o0.x, v1.y"),
    ("ps_4_0", "dcl_input_ps linear v1.xy", "dcl_input_ps linear v2.xy", "if_nz v1.x\nendif"),
    ("gs_4_0", VERTEX_FIRST[1], VERTEX_FIRST[0], "mov o0.x, v[1][1].x"),
    ("gs_4_0", VERTEX_FIRST[1], VERTEX_FIRST[2], "mov o0.x, v[1][1].x"),
    ("gs_4_0", VERTEX_FIRST[2], VERTEX_FIRST[1], "mov o0.x, v1.x"),
    ("cs_5_0", "dcl_input vThreadID.xy", "dcl_input vThreadID.x", "mov r0.x, vThreadID.y"),
    ("ps_5_0", "dcl_output oDepth", "", "mov oDepth, l(0)"),
    (
        "ps_4_0",
        "dcl_constantbuffer CB0[3], immediateIndexed",
        "dcl_constantbuffer CB0[2], immediateIndexed",
        "mov o0.x, cb0[2].x",
    ),
    (
        "ps_4_0",
        "dcl_constantbuffer CB0[3], immediateIndexed",
        "dcl_constantbuffer CB1[3], immediateIndexed",
        "mov o0.x, cb0[2].x",
    ),
    (
        "ps_5_1",
        "dcl_constantbuffer CB0[1:1][3], immediateIndexed, space=0",
        "dcl_constantbuffer CB0[2:2][3], immediateIndexed, space=0",
        "mov o0.x, CB0[1][2].x",
    ),
    (
        "cs_5_0",
        "dcl_tgsm_structured g0, 4, 4",
        "dcl_tgsm_structured g1, 4, 4",
        "store_structured g0.x, l(0), l(0), l(0)",
    ),
    (
        "ps_5_0",
        "dcl_resource_structured t0, 16",
        "dcl_resource_structured t0, 32",
        "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed)"
        " r0.x, l(0), l(0), t0.xxxx",
    ),
)


@pytest.mark.parametrize(("profile", "sound_with", "broken_with", "code"), DEPEND_ON_DECLARATIONS)
def test_a_known_instruction_with_other_declarations(
    profile: str, sound_with: str, broken_with: str, code: str
) -> None:
    def made(declared: str) -> bytes:
        lines = [profile, "dcl_output o0.xyzw", declared]
        lines += [] if "r0" not in code or "dcl_temps" in sound_with else ["dcl_temps 1"]
        return Program.assemble("\n".join([*filter(None, lines), code, "ret", ""])).encode()

    before = listed(in_full(made(sound_with)))
    for _ in range(2):  # the second time everything is known
        assert listed(Program.decode(made(sound_with))) == before
    found = listed(Program.decode(made(broken_with)))
    assert found == listed(in_full(made(broken_with)))
    assert len(found) > len(before)


RUN = (
    "mov r0.x, v1.x", "add r0.x, r0.x, cb0[1].x", "if_nz r0.x", "mov r1.x, cb0[2].x", "endif",
    "switch r0.x", "case l(1)", "mov r0.x, l(2)", "break", "endswitch", "mov r2.x, r0.x",
    "mov o0.x, r0.x", "ret", "mov o0.x, r1.x", "ret",
)  # fmt: skip


@pytest.mark.parametrize("longest", [1, 3, 256])
@pytest.mark.parametrize("rows", [2, 3])
@pytest.mark.parametrize("temps", [1, 2, 3])
def test_a_run_of_known_operations_has_the_findings_of_each(
    temps: int, rows: int, longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unshade.programs.tpf.verify.LONGEST_RUN", longest)

    def made(code: Sequence[str], temps: int = 3, rows: int = 3) -> bytes:
        declared = (
            "ps_4_0", "dcl_output o0.xyzw", "dcl_input_ps linear v1.x", f"dcl_temps {temps}",
            f"dcl_constantbuffer CB0[{rows}], immediateIndexed",
        )  # fmt: skip
        return Program.assemble("\n".join([*declared, *code, ""])).encode()

    listed(Program.decode(made(RUN)))
    for code in (RUN, RUN[:5] + RUN[10:13], RUN[:5]):
        for _ in range(2):
            data = made(code, temps, rows)
            assert listed(Program.decode(data)) == listed(in_full(data))


def test_ranges_overlap_in_the_same_space_only() -> None:
    """Of Shader Model 5.1: the second declaration, by its range and space."""
    forms = (
        ("dcl_resource_raw T{0}[{1}:{2}], space={3}", "t"),
        ("dcl_uav_raw U{0}[{1}:{2}], space={3}", "u"),
        ("dcl_sampler S{0}[{1}:{2}], mode_default, space={3}", "s"),
        ("dcl_constantbuffer CB{0}[{1}:{2}][4], immediateIndexed, space={3}", "cb"),
    )
    for line, name in forms:
        for lower, upper, space, overlaps in (
            (4, 6, 1, False), (4, 6, 0, True), (6, 9, 0, True), (7, 9, 0, False), (0, 3, 0, False),
            (0, 4, 0, True), (0, 9, 0, True), (0, 9, 7, False), (5, 5, 0, True),
        ):  # fmt: skip
            declared = [line.format(0, 4, 6, 0), line.format(1, lower, upper, space)]
            found = Program.assemble("\n".join(["cs_5_1", *declared, "dcl_thread_group 1, 1, 1",
                                                "ret", ""]))  # fmt: skip
            expected = {"tpf.range-overlap"} if overlaps else set()
            assert codes(found) == expected, (name, lower, upper, space)


def test_edits_are_verified() -> None:
    data = pixel(i("mov", o("r0.x"), one("v1.x"))).encode()
    for _ in range(2):
        assert codes(Program.decode(data)) == set()
    found = Program.decode(data)
    found.instructions[8].operands[1].indices[0].immediate = 2
    assert codes(found) == {"tpf.undeclared-register"}
    found.instructions[4].operands[0].indices[0].immediate = 2
    assert codes(found) == set()
    assert codes(Program.decode(data)) == set()


def test_a_bounded_number_of_tokens_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sound, "_KNOWN", {})
    monkeypatch.setattr(sound, "_ROOM", [3])
    monkeypatch.setattr(sound, "MOST", 3)
    monkeypatch.setattr(sound, "KINDS", 2)
    for number in range(10):
        kept = sound.sound_tokens(number % 4, (5, 0), 0)
        assert sound.sound_tokens(number % 4, (5, 0), 0) is kept
        kept.keep_token((number, ()))
        kept.keep_operand((number, 0, 0, (), 0, 0), 15)
        assert (number, ()) in kept.tokens or not kept.tokens
        every = list(sound._KNOWN.values())
        assert len(every) <= 2
        assert sum(len(each.tokens) + len(each.operands) for each in every) <= 3
    kept.keep_instruction(bytes(1000), kept)  # type: ignore[arg-type]
    assert not kept.instructions
