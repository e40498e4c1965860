"""Reflection of a container with DXIL: from the metadata of the bitcode."""

import unshade
from tests.programs.dxil.modules import SAXPY
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.stat import ShaderStatistics

REFLECTION = ("reflection",)


def test_a_compute_shader() -> None:
    found = unshade.open(SAXPY).reflect()
    assert (found.code, found.stage, found.profile) == ("dxil", "compute", "cs_6_6")
    assert (found.entry_point, found.complete) == ("main", True)
    assert (found.creator or "").startswith("dxc(private) 1.9")
    assert found.thread_group is not None
    assert [(each.where, each.kind, each.writable) for each in found.resources] == [
        ("b0", "constant_buffer", False),
        ("t0", "raw_buffer", False),
        ("u1", "raw_buffer", True),
    ]
    assert found.builtins == ["thread_id"]
    assert found.statistics is not None
    assert found.statistics.computed


def test_names_are_in_the_part_for_reflection() -> None:
    shader = unshade.open(SAXPY)
    found = shader.reflect()
    assert not any(each.declared for each in found.resources)
    (buffer,) = found.constant_buffers
    assert [each.type.scalar for each in buffer.variables] == ["float", "uint"]
    without = unshade.loads(shader.to_bytes())
    assert without.strip(*REFLECTION)
    rest = without.reflect()
    assert [each.name for each in rest.resources] == ["cb0", "t0", "u1"]
    assert rest.constant_buffers[0].variables == []
    assert rest.thread_group == found.thread_group


def test_bitcode_that_cannot_be_read_is_noted() -> None:
    data = bytearray(SAXPY.read_bytes())
    at = data.index(b"BC\xc0\xde", data.rindex(b"DXIL"))
    data[at + 4 : at + 8] = b"\xff" * 4
    found = unshade.loads(bytes(data)).reflect()
    assert not found.complete
    assert any("DXIL could not be read" in each for each in found.notes)
    assert found.thread_group is not None  # from STAT


def test_counters_beside_dxil_count_nothing() -> None:
    """Where STAT has no program it has zeros, which are not those of the code."""
    shader = unshade.open(SAXPY)
    assert isinstance(shader, DxContainer)
    shader["STAT"] = ShaderStatistics()
    shader["DXIL"].bitcode = b""
    found = unshade.loads(shader.to_bytes()).reflect()
    assert found.statistics is None
    assert any("expected the magic number 42 43 c0 de, got nothing" in each for each in found.notes)


def test_variables_that_are_not_read() -> None:
    """The code says what it reads; the names are in another part."""
    shader = unshade.open(SAXPY)
    (buffer,) = shader.reflect().constant_buffers
    assert [(each.name, each.used) for each in buffer.variables] == [
        ("_26_a", True),
        ("_26_n", False),
    ]
    program = shader.programs[0]
    texts = [str(each) for each in program.instructions]
    at = texts.index("%7 = extractvalue %dx.types.CBufRet.f32 %6, 0")
    program.replace(at, "%7 = extractvalue %dx.types.CBufRet.f32 %6, 1")
    (buffer,) = shader.reflect().constant_buffers
    assert [each.used for each in buffer.variables] == [False, True]
