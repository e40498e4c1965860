"""Renaming constants and resources: one name changes, all others stay."""

from __future__ import annotations

import pytest

import unshade
from tests.fixtures.containers import container
from tests.fixtures.one_of_each import definition, typed
from unshade.errors import UnsupportedError, UsageError
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.rdef import (
    RdefBinding,
    RdefBuffer,
    RdefMember,
    RdefType,
    RdefVariable,
    ResourceDefinition,
)


def scalar() -> RdefType:
    return RdefType(variable_class=0, variable_type=3, rows=1, columns=1)


def structure(*names: str, elements: int = 0, inner: RdefType | None = None) -> RdefType:
    members = [RdefMember(name=name, type=scalar(), offset=4 * n) for n, name in enumerate(names)]
    if inner is not None:
        members.append(RdefMember(name="inner", type=inner, offset=64))
    return RdefType(variable_class=5, elements=elements, members=members)


def lights() -> DxContainer:
    """Return a shader with two buffers whose variables share their types."""
    lamp = structure("range", "power")
    both = structure("own", inner=lamp)
    buffers = [
        RdefBuffer(
            name=name,
            size=256,
            variables=[
                RdefVariable(name="lamp", size=8, type=lamp),
                RdefVariable(name="both", offset=64, size=72, type=both),
                RdefVariable(
                    name="lamps", offset=160, size=72, type=structure("range", elements=3)
                ),
            ],
        )
        for name in ("Light", "Shade")
    ]
    bindings = [RdefBinding(name=name) for name in ("Light", "Shade", "shadowMap")]
    record = ResourceDefinition(
        major=4, target=0xFFFF, creator="x", buffers=buffers, bindings=bindings
    )
    shader = unshade.loads(typed("RDEF", record))
    assert isinstance(shader, DxContainer)
    return shader


def names(shader: DxContainer) -> list[str]:
    def below(given: RdefType, path: str) -> list[str]:
        found = []
        for member in given.members:
            inner = f"{path}.{member.name}"
            found += [inner, *below(member.type, inner)]
        return found

    found = []
    again = unshade.loads(shader.to_bytes())
    for buffer in again["RDEF"].buffers:
        found.append(buffer.name)
        for variable in buffer.variables:
            path = f"{buffer.name}.{variable.name}"
            found += [path, *below(variable.type, path)]
    return found + [f"({binding.name})" for binding in again["RDEF"].bindings]


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("Light.lamp", "Light.new"),
        ("Light.lamp.range", "Light.lamp.new"),
        ("Shade.both.inner.power", "Shade.both.inner.new"),
        ("Shade.both.inner", "Shade.both.new"),
        ("Light.lamps[2].range", "Light.lamps.new"),
        ("Light.lamps[].range", "Light.lamps.new"),
        ("shadowMap", "new"),
    ],
)
def test_one_name_changes(path: str, new: str) -> None:
    shader = lights()
    before = names(shader)
    shader["RDEF"].rename(path, "new")
    old = path.replace("[2]", "").replace("[]", "")
    wanted = [
        f"({new})" if each == f"({old})"
        else new + each[len(old) :] if each == old or each.startswith(f"{old}.") else each
        for each in before
    ]  # fmt: skip
    assert names(shader) == wanted
    assert wanted != before
    assert shader.digest_state == "retail"


def test_a_buffer_keeps_its_binding() -> None:
    shader = lights()
    shader.rename("Light", "Sun")
    after = names(shader)
    assert "Sun.lamp" in after
    assert after[-3:] == ["(Sun)", "(Shade)", "(shadowMap)"]
    missing = [each.message for each in shader.verify() if each.code == "rdef.buffer"]
    assert missing == ["unknown buffer 'shadowMap'"]


def test_names_with_dots() -> None:
    record = definition(5, 0)
    record.buffers[0].variables[0].name = "type.Globals"
    shader = DxContainer.loads(typed("RDEF", record))
    shader.rename("cb.type.Globals", "s")
    assert shader["RDEF"].buffers[0].variables[0].name == "s"


@pytest.mark.parametrize("model", [(4, 0), (4, 1), (5, 0), (5, 1)])
def test_every_model(model: tuple[int, int]) -> None:
    shader = DxContainer.loads(typed("RDEF", definition(*model)))
    member = shader["RDEF"].buffers[0].variables[0].type.members[0].name
    shader.rename(f"cb.s.{member}", "tint")
    again = DxContainer.loads(shader.to_bytes())
    assert again["RDEF"].buffers[0].variables[0].type.members[0].name == "tint"
    assert again["RDEF"].buffers[0].variables[1].default_value == bytes(range(16))


@pytest.mark.parametrize(
    ("path", "name", "problem"),
    [
        ("Sun", "x", "no buffer or resource 'Sun': expected one of Light, Shade, shadowMap"),
        ("Light.colour", "x", "no variable 'colour' in Light: expected one of lamp, both, lamps"),
        ("Light.lamp.x", "x", r"no member 'x' in Light\.lamp: expected one of range, power"),
        ("Light.lamp.range.x", "x", r"no member 'x': Light\.lamp\.range is not a structure"),
        ("shadowMap.x", "x", "no member 'x': shadowMap is a resource"),
        ("Light", "Shade", "the name 'Shade' is in use"),
        ("Light", "shadowMap", "the name 'shadowMap' is in use"),
        ("Light.lamp", "both", "the name 'both' is in use in Light"),
        ("Light.lamp.range", "power", r"the name 'power' is in use in Light\.lamp"),
        ("Light.lamps[x].range", "x", "no variable"),
        ("Light.", "x", "no buffer or resource"),
        ("", "x", "expected a non-empty str"),
        ("Light", "", "expected a non-empty str"),
        ("Light", "a\0b", "expected a non-empty str"),
        ("Light", 5, "expected a non-empty str"),
    ],
)
def test_refusals_list_known_names(path: str, name: str, problem: str) -> None:
    shader = lights()
    before = shader.to_bytes()
    with pytest.raises(UsageError, match=problem):
        shader.rename(path, name)
    assert shader.to_bytes() == before


def test_renaming_to_the_same_name_is_allowed() -> None:
    shader = lights()
    before = shader.to_bytes()
    shader.rename("Light.lamp.range", "range")
    shader.rename("Light", "Light")
    assert shader.to_bytes() == before


def test_shaders_without_names() -> None:
    with pytest.raises(UsageError, match="no part RDEF"):
        DxContainer.loads(container([("SHDR", b"")])).rename("a", "b")
    with pytest.raises(UnsupportedError, match="names of a DXIL shader"):
        DxContainer.loads(container([("DXIL", b"")])).rename("a", "b")
    with pytest.raises(UsageError, match="RDEF cannot be read: at 0x2c"):
        DxContainer.loads(container([("RDEF", b"")])).rename("a", "b")


@pytest.mark.parametrize(
    "name", ["2bad tex;", "2bad", "a b", "tex;", ".a", "a.", "ä", "a[x]", "a\n"]
)
def test_names_that_are_no_identifiers(name: str) -> None:
    shader = lights()
    before = shader.to_bytes()
    with pytest.raises(UsageError, match="expected an identifier"):
        shader.rename("Light", name)
    assert shader.to_bytes() == before
