"""Every rule for programs has a program that breaks it, and a valid program breaks none."""

from __future__ import annotations

import random
import struct

import pytest

from tests.programs.tpf.broken_programs import BROKEN, SOUND, i, o, one, pixel
from unshade.errors import UnshadeError
from unshade.programs.tpf import Program
from unshade.programs.tpf.verify import RULES, sound, verify

# The decoder reads as many operands as the table has: no file can have another number.
UNWRITABLE = {"tpf.operand-count"}


def codes(found: Program) -> set[str]:
    return {each.code for each in verify(found)}


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


def test_what_was_sound_in_one_program_is_checked_where_it_depends_on_another() -> None:
    """Stage, model, flags, and declarations; each after a program in which the operand is sound."""
    low, precise = o("r0.x"), one("r1.x")
    low.min_precision = 1
    assert codes(pixel(i("mov", o("r0.x"), one("v1.x")))) == set()
    assert codes(pixel(i("mov", o("r0.x"), one("v1.x")), declare=(i("dcl_temps", words=(0,)),)))
    assert codes(pixel(i("mov", low, precise), flags=1 << 16)) == set()
    assert codes(pixel(i("mov", low, precise))) == {"tpf.feature"}


def test_a_bounded_number_of_tokens_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sound, "MOST", 3)
    kept = sound.SoundTokens()
    for number in range(10):
        kept.keep_token((number, ()))
        kept.keep_operand((number, 0, 0, (), 0, 0), 15)
        assert (number, ()) in kept.tokens
        assert len(kept.tokens) <= 3
        assert len(kept.operands) <= 3
