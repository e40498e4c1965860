"""Every rule for containers has a file that breaks it; our own files break none."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import unshade
from tests.examples import CONTAINERS, EXAMPLES, each_container
from tests.fixtures import blog_vs_4_0 as blog
from tests.formats.dxcontainer.broken_files import (
    BINDING,
    BROKEN,
    SAMPLER_1,
    SOUND,
    add,
    declare,
    edited,
    geometry,
    instruction,
    interfaces,
    level9,
    put,
)
from tests.formats.dxcontainer.broken_validation import library
from tests.formats.dxcontainer.broken_validation import put as put_field
from tests.programs.dxil.dependence.support import TEXT
from unshade.errors import Severity, UnshadeError
from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.formats.dxcontainer.parts.rdef import RdefTarget, ResourceDefinition
from unshade.formats.dxcontainer.verify import RULES
from unshade.limits import Limits
from unshade.programs.dxil import Program as DxilProgram
from unshade.programs.tpf.verify import RULES as PROGRAM_RULES
from unshade.rule import is_finding


def codes(data: bytes) -> set[str]:
    return {each.code for each in DxContainer.loads(data).verify()}


@pytest.mark.parametrize("name", SOUND)
def test_sound_files_break_no_rule(name: str) -> None:
    assert [str(each) for each in DxContainer.loads(SOUND[name]()).verify()] == []


@each_container
def test_examples_have_no_finding(path: Path) -> None:
    found = DxContainer.loads(path.read_bytes()).verify()
    assert [str(each) for each in found if is_finding(each)] == []


# One rule takes other limits, one a text, one flags that no file has a place for, one an edit.
NOT_IN_FILES = ("part.limit", "rts0.offset-text", "rts0.flags-version", "part.outdated")


@pytest.mark.parametrize("code", [code for code in RULES if code not in NOT_IN_FILES])
def test_every_rule_can_be_broken(code: str) -> None:
    assert BROKEN.get(code), "a rule without a file that breaks it"
    for make in BROKEN[code]:
        assert code in codes(make())


def test_resources_of_a_library_may_have_no_register_yet() -> None:
    made = library(
        put_field("RDAT.tables.1.records.0.lower_bound", 0xFFFF_FFFF),
        put_field("RDAT.tables.1.records.0.upper_bound", 2),
    )
    assert "rdat.range" not in codes(made)


@pytest.mark.parametrize(("stage", "is_missing"), [("ds", True), ("lib", False)])
def test_libraries_have_no_signature_parts(stage: str, is_missing: bool) -> None:
    text = TEXT.format(body="  ret void", functions="", properties="!20").replace(
        '"vs"', f'"{stage}"'
    )
    made = DxContainer()
    made["DXIL"] = DxilProgram.assemble(text + "!20 = !{i32 8, i32 4}\n")
    messages = [each.message for each in made.verify() if each.code == "dxil.parts"]
    assert any("PSG1" in each for each in messages) == is_missing


def test_limit_is_a_finding() -> None:
    """It takes other limits, not another file."""
    shader = DxContainer.loads(blog.build(), Limits(instructions=3))
    (finding,) = [each for each in shader.verify() if is_finding(each)]
    assert (finding.code, finding.path) == ("part.limit", "SHDR")
    assert "instructions = 3" in finding.message


def test_every_broken_file_names_a_rule() -> None:
    assert set(BROKEN) <= set(RULES)
    assert not set(RULES) & set(PROGRAM_RULES)


def test_severities() -> None:
    """The table has the codes of findings of reading (`odd`) and their severities."""
    for make in (BROKEN["container.size"][0], BROKEN["part.malformed"][0]):
        for each in DxContainer.loads(make()).diagnostics:
            assert RULES[each.code].severity is each.severity
    assert RULES["container.unsigned"].severity is Severity.NOTE


def test_place_in_a_record() -> None:
    data = edited(put("ISGN", "elements.1.mask", 0x20))
    shader = DxContainer.loads(data)
    finding = next(each for each in shader.verify() if each.code == "signature.mask")
    assert finding.path == "ISGN.elements[1].mask"
    assert finding.offset is not None
    assert data[finding.offset] == 0x20


def test_place_in_a_program() -> None:
    data = edited(instruction(6, "operands.0.index", [7]))
    finding = next(
        each for each in DxContainer.loads(data).verify() if each.code == "tpf.index-range"
    )
    assert finding.path == "SHDR.instructions[6].operands[0]"
    assert finding.offset is not None
    assert data[finding.offset + 4] == 7


def test_place_of_a_declaration() -> None:
    data = edited(put("ISGN", "elements.0.register", 5))
    finding = next(
        each for each in DxContainer.loads(data).verify() if each.code == "signature.undeclared"
    )
    assert finding.path == "SHDR.instructions[1].operands[0]"
    assert finding.offset is not None
    assert data[finding.offset : finding.offset + 4] == (0x00101072).to_bytes(4, "little")


def test_place_in_the_second_part_of_a_name() -> None:
    found = DxContainer.loads(edited(add("STAT", "00000000"))).verify()
    assert {each.path.partition(".")[0] for each in found if each.code.startswith("part.")} == {
        "STAT[1]",
        "STAT",
    }


def test_parts_made_in_memory_have_places() -> None:
    shader = DxContainer(
        [DxPart("ISGN", bytes.fromhex("0000000008000000")), DxPart("WXYZ", b"four")]
    )
    (finding,) = shader.verify()
    assert (finding.code, finding.offset) == ("part.unknown", 32 + 8 + 8 + 8 + 8)


def test_a_surplus_operand_is_a_finding() -> None:
    shader = DxContainer.loads(blog.build())
    code = shader.programs[0].instructions
    code[6].operands.append(code[6].operands[1])
    finding = next(each for each in shader.verify() if each.code == "tpf.operand-count")
    assert finding.path == "SHDR.instructions[6]"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_hostile_bytes_end_in_findings_or_our_errors(seed: int) -> None:
    rng = random.Random(seed)
    originals = [make() for make in SOUND.values()] + [
        CONTAINERS[-1].read_bytes(),
        geometry(),
        edited(interfaces()),
    ]
    known = set(DxContainer.rules())
    for _ in range(400):
        data = bytearray(rng.choice(originals))
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(32, len(data) - 4) & ~3
            kind = rng.randrange(3)
            if kind == 0:
                data[at + rng.randrange(4)] ^= 1 << rng.randrange(8)
            elif kind == 1:
                data[at : at + 4] = rng.choice(
                    (0, 1, len(data), 0x7FFF_FFFF, 0xFFFF_FFFF)
                ).to_bytes(4, "little")
            else:
                data[at : at + 4] = rng.randbytes(4)
        try:
            found = DxContainer.loads(bytes(data)).verify()
        except UnshadeError:
            continue
        assert {each.code for each in found} <= known


@pytest.mark.parametrize(
    ("creator", "codes"), [("fxc 10", ["rdef.kind"]), ("vkd3d-shader 2.1", [])]
)
def test_flags_of_comparison_samplers_that_vkd3d_leaves_out(creator: str, codes: list[str]) -> None:
    mode = {**SAMPLER_1, "mode": "COMPARISON"}
    binding = {**BINDING, "kind": "SAMPLER", "bind_point": 1, "flags": 0}
    data = edited(declare(mode), put("RDEF", "bindings.append", binding))
    shader = DxContainer.loads(data)
    shader["RDEF"].creator = creator
    found = [each.code for each in shader.verify() if each.code == "rdef.kind"]
    assert found == codes


@pytest.mark.parametrize(("value", "codes"), [(0, []), (7, ["stat.stage"])])
def test_tessellation_that_vkd3d_leaves_out_of_stat(value: int, codes: list[str]) -> None:
    shader = DxContainer.loads(geometry())
    shader["RDEF"] = ResourceDefinition(target=RdefTarget.GEOMETRY, creator="vkd3d-shader 2.1")
    stat = shader["STAT"]
    for name in ("input_primitive", "gs_output_topology", "gs_max_output_vertex_count"):
        setattr(stat, name, value)
    codes_found = {each.code for each in shader.verify() if each.code == "stat.stage"}
    assert codes_found == set(codes)


def test_a_dxil_program_is_not_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> bytes:
        raise AssertionError

    monkeypatch.setattr(DxilProgram, "encode", refuse)
    shader = DxContainer.open(EXAMPLES / "saxpy6.dxil")
    assert not [each for each in shader.verify() if is_finding(each)]


def test_a_range_may_overlap_one_that_is_not_its_neighbour() -> None:
    ranges = [("A", 10, 10), ("B", 12, 2), ("C", 15, 1), ("D", 20, 1)]
    given = [
        put(
            "RDEF",
            "bindings.append",
            {**BINDING, "name": name, "kind": "SAMPLER", "bind_point": first, "bind_count": count},
        )
        for name, first, count in ranges
    ]
    found = DxContainer.loads(edited(*given)).verify()
    messages = [each.message for each in found if each.code == "rdef.overlap"]
    assert messages == ["A and B share register 12", "A and C share register 15"]


def test_rules_of_direct3d_9_hold_in_aon9() -> None:
    """A move to r32, which no version has; a file of its own says the same."""
    tokens = bytes.fromhex("0002feff 01000002 20000f80 0000e4a0 ffff0000")
    data = level9(size=36 + len(tokens), tokens=tokens)
    [found] = [each for each in DxContainer.loads(data).verify() if each.code.startswith("d3d9.")]
    [alone] = unshade.loads(tokens).verify()
    assert (found.code, found.message) == (alone.code, alone.message)
    assert found.code == "d3d9.register"
    assert found.path == f"Aon9.tokens.{alone.path}"
    assert found.offset is not None
    assert alone.offset is not None
    assert data[found.offset - alone.offset :][: len(tokens)] == tokens
