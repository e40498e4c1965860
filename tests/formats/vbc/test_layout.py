"""The forms of subpass inputs, told by the size of the file; what is refused, and where."""

import pytest

import unshade
from tests.fixtures.vbc import made, with_objects
from unshade import FormatError
from unshade.formats.vbc.records import SubpassForm
from unshade.formats.vbc.shader import Vbc

OBJECTS = [form for form in SubpassForm if form is not SubpassForm.DOCUMENTED]


def opened(data: bytes) -> Vbc:
    shader = unshade.loads(data)
    assert isinstance(shader, Vbc)
    return shader


@pytest.mark.parametrize("form", OBJECTS, ids=lambda form: form.name)
def test_objects_are_told_by_the_size_and_written_back(form: SubpassForm) -> None:
    data = with_objects(form).to_bytes()
    shader = opened(data)
    assert shader.form is form
    assert shader.to_bytes() == data
    assert shader.to_data()["subpass_form"] == form.name
    assert unshade.from_data(shader.to_data()).to_bytes() == data
    (found,) = (each for each in shader.diagnostics if each.code == "vbc.subpass-form")
    assert found.path == "VBC.subpasses"


@pytest.mark.parametrize("form", SubpassForm, ids=lambda form: form.name)
def test_the_form_is_found_inside_larger_data(form: SubpassForm) -> None:
    data = (made() if form is SubpassForm.DOCUMENTED else with_objects(form)).to_bytes()
    assert Vbc.measure(data + b"something else") == len(data)


def test_the_documented_form_is_not_named() -> None:
    assert "subpass_form" not in made().to_data()


def refusal(data: bytes) -> FormatError:
    with pytest.raises(FormatError) as caught:
        unshade.loads(data)
    return caught.value


def test_a_big_endian_file_is_refused_by_name() -> None:
    data = bytearray(made().to_bytes())
    for at in range(5, 25, 2):
        data[at : at + 2] = data[at : at + 2][::-1]
    error = refusal(bytes(data))
    assert error.problem == "expected little-endian numbers, got a big-endian file"
    assert (error.offset, error.path) == (5, "VBC.vert_words")


@pytest.mark.parametrize(
    ("at", "value", "problem", "path"),
    [
        (2, 0x58, "expected b'VBC', got b'VBX'", "VBC.magic"),
        (3, 2, "expected version 1, got 2", "VBC.version"),
        (4, 2, "expected type 1 (graphics), got 2", "VBC.type"),
    ],
)
def test_a_wrong_header_is_refused_at_the_field(
    at: int, value: int, problem: str, path: str
) -> None:
    data = bytearray(made().to_bytes())
    data[at] = value
    with pytest.raises(FormatError) as caught:
        Vbc.loads(bytes(data))
    start = 0 if path == "VBC.magic" else at
    assert (caught.value.problem, caught.value.offset, caught.value.path) == (problem, start, path)


def test_bytes_after_the_end_are_refused_where_the_file_ends() -> None:
    data = made().to_bytes()
    error = refusal(data + bytes(8))
    assert (error.offset, error.path) == (len(data), "trailing")
    assert error.problem == "expected the end of the file, got 8 more bytes"


def test_a_module_that_is_cut_off_is_refused_where_it_begins() -> None:
    shader = made()
    data = shader.to_bytes()
    error = refusal(data[:-4])
    assert (error.offset, error.path) == (shader.parts["frag"].offset, "frag")


def test_a_huge_count_is_refused_without_work() -> None:
    data = bytearray(made().to_bytes())
    data[25:29] = b"\xff" * 4
    error = refusal(bytes(data))
    assert (error.offset, error.path) == (29, "VBC.inputs")


def test_data_without_modules_is_not_taken_for_a_file_with_them() -> None:
    data = bytearray(made().to_bytes())
    at = bytes(data).index(b"\x03\x02\x23\x07")
    data[at] = 0
    with pytest.raises(FormatError, match="expected the magic number of SPIR-V"):
        Vbc.measure(bytes(data) + b"rest")
