"""Keys of programs, shapes and interfaces: what changes them, and what does not."""

import pytest

import unshade
from tests.contract.samples import samples
from tests.examples import EXAMPLES
from unshade.analysis.identities import interface_key, labels, program_key, shape_key
from unshade.ir.specialisation import Specialisation

PHONG = EXAMPLES / "phong.dxbc"
TEXT = """ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[2], immediateIndexed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps {temps}
mul r{a}.xyzw, v1.xyzw, cb0[{register}].xyzw
add r{b}.xyzw, r{a}.xyzw, l({literal}, 0, 0, 1)
{more}mov o0.xyzw, r{b}.xyzw
ret
"""


def shaped(**changed: object) -> unshade.Shader:
    given = {"temps": 4, "a": 0, "b": 1, "register": 0, "literal": 2.0, "more": ""}
    return unshade.assemble(TEXT.format(**(given | changed)))


@pytest.mark.parametrize(
    "changed", [{"a": 3, "b": 0}, {"literal": 7.5}, {"temps": 9}, {"register": 1}]
)
def test_registers_and_literals_are_no_part_of_the_shape(changed: dict[str, object]) -> None:
    assert shape_key(shaped()) == shape_key(shaped(**changed))
    assert program_key(shaped()) != program_key(shaped(**changed))


@pytest.mark.parametrize(
    "changed",
    [{"more": "mul r1.x, r1.x, r1.y\n"}, {"more": "add r1.xyzw, r1.xyzw, r0.wzyx\n"}],
)
def test_another_operation_is_another_shape(changed: dict[str, object]) -> None:
    assert shape_key(shaped()) != shape_key(shaped(**changed))


def test_stripping_keeps_the_program() -> None:
    whole, stripped = unshade.open(PHONG), unshade.open(PHONG)
    stripped.strip("reflection")  # noqa: B005  not of a string
    assert whole.to_bytes() != stripped.to_bytes()
    assert program_key(whole) == program_key(stripped)
    assert shape_key(whole) == shape_key(stripped)


def test_the_interface_is_not_the_code() -> None:
    assert interface_key(shaped()) == interface_key(shaped(more="mul r1.x, r1.x, r1.y\n"))
    other = TEXT.replace("v1.xyzw", "v2.xyzw")
    changed = {"temps": 4, "a": 0, "b": 1, "register": 0, "literal": 2.0, "more": ""}
    assert interface_key(shaped()) != interface_key(unshade.assemble(other.format(**changed)))


@pytest.mark.slow
def test_keys_of_every_sample_are_repeatable() -> None:
    for each in samples():
        shader, again = unshade.loads(each.data), unshade.loads(each.data)
        for key in (program_key, shape_key, interface_key):
            assert key(shader) == key(again), each.name


def test_a_file_without_code_has_no_program() -> None:
    shader = unshade.assemble("//rootsig_1_0\nCBV(b0)")
    assert (program_key(shader), shape_key(shader)) == (None, None)


@pytest.mark.parametrize("name", ["particles.spv", "clay.frag.spv", "phong.dxbc"])
def test_a_kernel_without_labels_has_the_same_shape(name: str) -> None:
    (program,) = unshade.open(EXAMPLES / name).programs
    whole, bare = program.lower(), program.lower(None, Specialisation(labelled=False))
    assert labels(whole.kernel) == labels(bare.kernel)


def test_a_module_without_labels_is_not_printed() -> None:
    (program,) = unshade.open(EXAMPLES / "clay.frag.spv").programs
    found = program.lower(None, Specialisation(labelled=False))
    assert not found.lines
    values = [*found.kernel.values()]
    assert all(each.label is None and each.location is None for each in values)
    assert any(each.label is not None for each in program.lower().kernel.values())
