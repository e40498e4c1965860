"""The text: every record a comment, every module its own text; read back from it."""

import pytest

import unshade
from tests.fixtures.vbc import made, with_objects
from unshade import AssembleError
from unshade.formats.vbc.records import SubpassForm

LINES = [
    "; VBC version=1 type=GRAPHICS",
    "; tables samplers=8192 images=128 buffers=512 ro_texels=128 rw_texels=128",
    "; inputs[0] location=0 base=FLOAT rows=3 columns=1 count=1",
    "; outputs[0] location=0 base=FLOAT rows=4 columns=1 count=1",
    "; bindings[0] slot=1 base=SAMPLER stages=frag"
    " data.rank=D2 data.type=FLOAT data.size=4 data.count=4",
    "; bindings[1] slot=2 base=RW_BUFFER stages=frag data.size=16",
    "; uniform size=68 stages=vert",
    "; uniform.members[0] name=mvp offset=0 base=FLOAT rows=4 columns=4 count=1",
    "; uniform.members[1] name=mode offset=64 base=UNSIGNED rows=1 columns=1 count=1",
    "; subpasses[0] type=FLOAT count=4",
    "; stage vert",
]


def test_the_native_text_is_the_reflection_and_that_of_spirv_dis() -> None:
    shader = made()
    text = shader.disassemble()
    assert text.splitlines()[: len(LINES)] == LINES
    vert, frag = (each.disassemble() for each in shader.programs)
    head = "\n".join(LINES)
    assert text == f"{head}\n{vert}; stage frag\n{frag}"


@pytest.mark.parametrize("form", SubpassForm, ids=lambda form: form.name)
def test_exact_text_assembles_to_the_same_file(form: SubpassForm) -> None:
    shader = made() if form is SubpassForm.DOCUMENTED else with_objects(form)
    again = unshade.assemble(shader.disassemble("exact"))
    assert again.to_bytes() == shader.to_bytes()


@pytest.mark.fast
def test_native_text_assembles_to_the_same_reflection_and_instructions() -> None:
    again = unshade.assemble(made().disassemble())
    assert again.disassemble().splitlines()[: len(LINES)] == LINES
    old, new = made().programs, again.programs
    for x, y in zip(old, new, strict=True):
        assert len(x.instructions) == len(y.instructions)
    assert unshade.info(again).reflection is not None


def test_odd_values_are_kept() -> None:
    shader = made(vert=b"no module of it!")
    shader.record.inputs[0].unused = b"\1\2\3"
    shader.record.inputs[0].base = 77
    shader.record.bindings[0].stages = 0x8010
    shader.record.uniform.members[0].name = 'a "b" \udcff'
    text = shader.disassemble("exact")
    assert 'unused="010203"' in text
    assert "; bytes " in text
    assert unshade.assemble(text).to_bytes() == shader.to_bytes()


def test_a_stage_line_inside_a_string_is_text() -> None:
    shader = made()
    source = 'OpCapability Shader\nOpMemoryModel Logical GLSL450\n%1 = OpString "x\n; stage frag\n"'
    program = type(shader.programs[0]).assemble(source)
    shader.record.vert = program.encode()
    again = unshade.assemble(shader.disassemble("exact"))
    assert again.to_bytes() == shader.to_bytes()


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("rows=3", "rows=none", 3, "VBC.inputs[0].rows: expected an integer, got 'none'"),
        ("rows=3", "rows=", 3, "expected a word, a number or JSON"),
        ("rows=3", "rows=3 rows=4", 3, "field rows appears twice"),
        (
            "; inputs[0] location=0",
            "; inputs[1] location=0",
            3,
            "expected inputs[0], got inputs[1]",
        ),
        ("; inputs[0]", "; inputs", 3, "expected inputs[0]"),
        ("; uniform size", "; uniform[0] size", 7, "expected uniform without a number"),
        ("; stage vert", "; stage vrt", 11, "unknown stage 'vrt'; did you mean vert?"),
        ("; VBC version=1 type=GRAPHICS", "rubbish", 1, "expected a comment"),
        ("base=SAMPLER", "base=TEXTURE", 5, "expected one of VOID, BOOLEAN"),
    ],
)
def test_errors_have_a_place(old: str, new: str, line: int, problem: str) -> None:
    text = made().disassemble().replace(old, new, 1)
    with pytest.raises(AssembleError) as caught:
        unshade.assemble(text, "vbc")
    assert caught.value.line == line
    assert problem in caught.value.problem


@pytest.mark.parametrize("name", ["vrt", "pixel", ".", "vert.frag"])
def test_an_unknown_stage_has_the_column_of_its_name(name: str) -> None:
    text = made().disassemble().replace("; stage frag", f"; stage {name}", 1)
    with pytest.raises(AssembleError) as caught:
        unshade.assemble(text, "vbc")
    (error,) = caught.value.errors
    assert text.splitlines()[error.line - 1][error.column - 1 :] == name


def test_errors_in_modules_have_the_line_of_the_whole_text() -> None:
    lines = made().disassemble().splitlines()
    at = next(n for n, line in enumerate(lines) if "OpFunctionEnd" in line)
    lines[at] = lines[at].replace("OpFunctionEnd", "OpNothing")
    with pytest.raises(AssembleError) as caught:
        unshade.assemble("\n".join(lines), "vbc")
    assert caught.value.line == at + 1


def test_options_are_those_of_the_modules() -> None:
    shader = made()
    text = shader.disassemble(raw_id=True, header=False)
    vert, frag = (each.disassemble(raw_id=True, header=False) for each in shader.programs)
    assert text == "\n".join(LINES) + f"\n{vert}; stage frag\n{frag}"
    assert "%void" not in text
    assert unshade.assemble(text).disassemble().splitlines()[: len(LINES)] == LINES
    with pytest.raises(unshade.UsageError, match="no option 'raw_ids'; did you mean raw_id"):
        shader.disassemble(raw_ids=True)


def test_the_text_needs_no_plain_data_of_the_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    shader = made()
    expected = shader.disassemble()

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("unshade.formats.vbc.data.module_to_data", refuse)
    assert made().disassemble() == expected


def test_each_line_has_the_paths_of_what_it_shows() -> None:
    """The fields of the reflection by name, then each module and its lines."""
    shader = made()
    lines, paths = shader.disassemble().splitlines(), shader.line_paths()
    assert len(paths) == len(lines)
    words = [line.split()[1] for line in LINES[1:-1]]
    head = [("VBC",), *((f"VBC.{each}",) for each in words), ("vert",)]
    assert paths[: len(LINES)] == head
    middle = lines.index("; stage frag")
    for name, inner in (("vert", paths[len(LINES) : middle]), ("frag", paths[middle + 1 :])):
        assert {path.partition(".")[0] for found in inner for path in found} == {name}
    assert paths[middle] == ("frag",)


def test_a_module_of_other_bytes_is_listed_by_rows_of_its_bytes() -> None:
    shader = made()
    for size in (1, 32, 33, 64):
        shader.record.vert = b"\7" * size
        lines, paths = shader.disassemble().splitlines(), shader.line_paths()
        assert len(paths) == len(lines)
        rows = [line for line, path in zip(lines, paths, strict=True) if path == ("vert",)]
        assert len(rows) == 1 + -(-size // 32)
        assert "".join(each.split()[-1] for each in rows[1:]) == "07" * size
