"""Shaders of our own with a root signature that binds all they use, and with wrong ones."""

from pathlib import Path

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.formats.dxcontainer import DxContainer
from unshade.model import Resource

CLAUSES = {"b": "CBV", "t": "SRV", "u": "UAV", "s": "Sampler"}
SHADERS = sorted(each for each in EXAMPLES.iterdir() if each.suffix in (".dxbc", ".dxil"))
BY_STAGE = {"vertex", "pixel", "geometry", "hull", "domain"}


def loaded(path: Path) -> DxContainer:
    shader = unshade.loads(path.read_bytes())
    assert isinstance(shader, DxContainer)
    return shader


def clause(each: Resource, visibility: str = "") -> str:
    where = f"{each.register_class}{each.register}, space={each.space}"
    count = "unbounded" if each.count is None else each.count
    inner = f"{CLAUSES[each.register_class]}({where}, numDescriptors={count})"
    return f"DescriptorTable({inner}{visibility})"


def found(shader: DxContainer, *clauses: str) -> set[str]:
    shader.root_signature = ", ".join(clauses)
    return {each.code for each in shader.verify() if each.code.startswith("rts0")}


@pytest.mark.parametrize("path", SHADERS, ids=lambda path: path.name)
def test_each_resource_must_be_bound(path: Path) -> None:
    shader = loaded(path)
    stage = str(shader.reflect().stage)
    rows = [each for each in shader.reflect().resources if each.register_class in CLAUSES]
    tables = [clause(each) for each in rows]
    assert found(shader, *tables) == set()
    for at, each in enumerate(rows):
        others = tables[:at] + tables[at + 1 :]
        moved = Resource.of_values({**vars(each), "register": each.register + 9})
        elsewhere = Resource.of_values({**vars(each), "space": 1})
        for instead in ([], [clause(moved)], [clause(elsewhere)]):
            assert found(shader, *others, *instead) == {"rts0.unbound"}
    if stage in BY_STAGE and rows:
        own, other = stage.upper(), "VERTEX" if stage != "vertex" else "PIXEL"
        seen = ", visibility=SHADER_VISIBILITY_{}"
        assert found(shader, *(clause(each, seen.format(own)) for each in rows)) == set()
        hidden = [clause(each, seen.format(other)) for each in rows]
        assert found(shader, *hidden) == {"rts0.unbound"}
        denied = f"RootFlags(DENY_{own}_SHADER_ROOT_ACCESS)"
        assert found(shader, denied, *tables) == {"rts0.denied"}


@pytest.mark.parametrize("path", SHADERS, ids=lambda path: path.name)
def test_root_descriptors_and_constants(path: Path) -> None:
    shader = loaded(path)
    facts = shader.programs[0].facts()  # RDEF of vkd3d has other kinds of buffers
    rows = [each.resource for each in facts.resources]
    sizes = {each.resource: each.size for each in facts.constant_buffers}
    for at, each in enumerate(rows):
        others = [clause(row) for row in rows if row is not each]
        where = f"{each.register_class}{each.register}"
        if each.register_class in "btu":
            addressed = each.kind in ("constant_buffer", "raw_buffer", "structured_buffer")
            expected = set() if addressed else {"rts0.descriptor"}
            assert found(shader, *others, f"{CLAUSES[where[0]]}({where})") == expected
        if at in sizes:
            constants = "RootConstants(num32BitConstants={}, " + f"{where})"
            whole = -(-sizes[at] // 4)
            allowed = {"rts0.size", "rts0.constants-indexed"}
            assert found(shader, *others, constants.format(whole)) <= allowed
            read = shader.programs[0].constant_reads()[facts.resources[at].label]
            assert (
                "rts0.constants-indexed" in found(shader, *others, constants.format(whole))
            ) == (read.indexed)
            least = (max(read.offsets) + 4) // 4
            assert "rts0.constants" not in found(shader, *others, constants.format(least))
            assert "rts0.constants" in found(shader, *others, constants.format(least - 1))


def test_places() -> None:
    shader = loaded(EXAMPLES / "phong.dxbc")
    shader.root_signature = "CBV(b0), SRV(t1), DescriptorTable(Sampler(s1, numDescriptors=2))"
    data = shader.to_bytes()
    by_code = {each.code: each for each in unshade.loads(data).verify()}
    assert by_code["rts0.unbound"].path == "SHDR.instructions[4].operands[0]"
    assert by_code["rts0.unbound"].message == "t2 in space 0 is not bound"
    assert by_code["rts0.descriptor"].path == "SHDR.instructions[3].operands[0]"
    shader.root_signature = "RootFlags(0x8000), DescriptorTable(CBV(b0, space=4294967280))"
    finding = next(each for each in shader.verify() if each.code == "rts0.space")
    assert finding.path == "RTS0.parameters[0].payload.ranges[0].space"
    assert finding.offset is not None
    assert shader.to_bytes()[finding.offset : finding.offset + 4] == b"\xf0\xff\xff\xff"


def test_dxil_with_and_without_psv0() -> None:
    shader = loaded(EXAMPLES / "saxpy6.dxil")
    rows = [each for each in shader.reflect().resources if each.register_class in CLAUSES]
    tables = [clause(each) for each in rows]
    for _ in range(2):
        assert found(shader, *tables) == set()
        assert found(shader, *tables[1:]) == {"rts0.unbound"}
        for number, code in enumerate(("rts0.constants", "rts0.constants-size")):
            constants = f"RootConstants(num32BitConstants={number}, b0)"
            assert found(shader, constants, *tables[1:]) == {code}, "it reads one of two"
        shader.parts[:] = [each for each in shader.parts if each.name != "PSV0"]
