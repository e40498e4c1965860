"""DXIL programs as files: bitcode, in a wrapper, and the data of a part."""

import struct
from pathlib import Path

import numpy as np
import pytest

import unshade
from tests.cli.terminal import unshade as run
from tests.examples import EXAMPLES
from tests.fixtures.bare_dxil import one_of_each, wrapped
from tests.fixtures.counted_vertices import counted_vertices
from tests.formats.sizes import check_size_is_limited
from tests.programs.dxil.modules import minimal
from unshade import FormatError, LimitError, UnsupportedError, UsageError, formats
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxil import DxilFile
from unshade.limits import Limits
from unshade.programs.dxil import Program

pytestmark = pytest.mark.heavy

SAXPY = (EXAMPLES / "saxpy6.dxil").read_bytes()
FILES = one_of_each()
SUM, DIFFERENCE = "= fadd fast float", "= fsub fast float"
HEADER = 24
FORMS = ("bitcode", "wrapped", "part")


def opened(name: str) -> DxilFile:
    shader = unshade.loads(FILES[name])
    assert isinstance(shader, DxilFile)
    return shader


def with_debug() -> Program:
    """Return a program with a line of debug information."""
    text = DxContainer.loads(SAXPY).programs[0].disassemble()
    at = next(line for line in text.splitlines() if SUM in line)
    names = "!dx.version = "
    more = (
        '!90 = distinct !DISubprogram(name: "main", isLocal: false, isDefinition: true, scopeLine:'
        " 1, isOptimized: false)\n!91 = !DILocation(line: 7, column: 3, scope: !90)\n"
    )
    text = text.replace(at, f"{at.partition('  ;')[0]}, !dbg !91").replace(names, f"{names}", 1)
    return Program.assemble(text + more)


@pytest.mark.parametrize("name", FILES)
def test_the_bytes_come_back_from_decoded_fields(name: str) -> None:
    data = FILES[name]
    assert formats.identify(data) == "dxil"
    shader = opened(name)
    assert shader.to_bytes() == data
    _ = shader.program.module  # written from the module from here on
    assert shader.to_bytes() == data
    assert shader.trailing == (b"more" if name.endswith("more") else shader.trailing)


@pytest.mark.parametrize(
    ("name", "form"), [("bitcode", "bitcode"), ("wrapped", "bitcode"), ("part", "part")]
)
def test_the_program_is_that_of_the_container(name: str, form: str) -> None:
    container = DxContainer.loads(SAXPY)
    shader = opened(name)
    assert shader.form == form
    assert shader.program.version == container["DXIL"].version == 5 << 16 | 6 << 4 | 6
    assert shader.program.dxil_version == container["DXIL"].dxil_version == 0x106
    assert shader.disassemble() == container["DXIL"].disassemble()
    del container["STAT"]  # which has the names
    whole, alone = container.reflect(), shader.reflect()
    for field in ("stage", "model", "profile", "entry_point", "creator", "thread_group",
                  "builtins", "global_flags", "statistics"):  # fmt: skip
        assert getattr(alone, field) == getattr(whole, field), field
    assert [each.where for each in alone.resources] == ["b0", "t0", "u1"]
    assert alone.resources == whole.resources


@pytest.mark.parametrize("name", FORMS)
def test_it_runs(name: str) -> None:
    kernel = unshade.kernel(opened(name), engine="lockstep")
    x, y = np.arange(64, dtype="f4"), np.ones(64, "f4")
    wanted = (2 * x + y).tolist()
    got = kernel.dispatch(1, cb0=np.array([0x40000000, 64], "u4"), t0=x, u1=y)["u1"]
    assert np.asarray(got).view("f4").tolist() == wanted


def test_spans_begin_with_the_magic_number_or_the_header() -> None:
    spans = opened("bitcode").spans()
    assert [(each.offset, each.path) for each in spans[:2]] == [
        (0, "bitcode.magic"), (4, "bitcode.blocks[0]"),
    ]  # fmt: skip
    assert [each.path for each in opened("wrapped").spans()[:2]] == [
        "bitcode.wrapper", "bitcode.magic",
    ]  # fmt: skip
    assert opened("part").spans()[0].path == "version"
    assert opened("part and more").spans()[-1][:3] == (len(FILES["part"]), 4, "trailing")


@pytest.mark.parametrize("name", FORMS)
def test_an_edited_text_replaces_the_program(name: str) -> None:
    shader = opened(name)
    text = shader.disassemble()
    assert unshade.assemble(text, donor=shader).to_bytes() == FILES[name]
    made = unshade.assemble(text.replace(SUM, DIFFERENCE), donor=shader)
    assert isinstance(made, DxilFile)
    assert made.form == shader.form
    again = unshade.loads(made.to_bytes())
    assert DIFFERENCE in again.disassemble()
    found = unshade.diff(shader, again)
    assert found.verdict == "the code differs: 1 of 41 lines changed; the interface is the same"


def test_text_without_a_donor_is_bitcode() -> None:
    text = opened("bitcode").disassemble("exact")
    assert unshade.assemble(text, "dxil").to_bytes() == FILES["bitcode"]
    assert isinstance(unshade.assemble(text), DxContainer)


def test_findings_have_offsets_in_the_file() -> None:
    """The version token of a part; bitcode has none, so that no finding is about it."""
    program = DxContainer.loads(SAXPY)["DXIL"]
    program.version = 5 << 16 | 6 << 4 | 5
    messages = [each.message for each in unshade.loads(program.encode()).verify()]
    assert any("shader model (6, 5) in the header, (6, 6) in" in each for each in messages)
    assert not unshade.loads(program.bitcode_bytes()).verify()
    codes = {
        form: [(each.code, each.offset) for each in unshade.loads(data).verify()]
        for form, data in (
            ("part", minimal("vs")), ("bitcode", minimal("vs")[HEADER:]),
        )
    }  # fmt: skip
    assert codes["bitcode"] == [
        (code, None if at is None else at - HEADER) for code, at in codes["part"]
    ]


def test_debug_information_is_compared_and_stripped() -> None:
    program = with_debug()
    shader = unshade.loads(program.bitcode_bytes())
    assert isinstance(shader, DxilFile)
    less = unshade.loads(shader.to_bytes())
    (loss,) = less.strip()
    assert loss.category == "debug"
    assert len(less.to_bytes()) == len(shader.to_bytes()) - loss.size
    assert "!DILocation" not in less.disassemble()
    found = unshade.diff(shader, less)
    assert found.verdict == "the code is the same; debug information differs"
    assert less.strip() == []
    assert not less.verify()


def test_a_library_has_a_reflection_for_each_entry_point() -> None:
    found = opened("library").reflect()
    assert (found.stage, found.model, found.profile) == ("library", "6.3", "lib_6_3")
    assert found.entry_points == []


def test_stages_are_linked_by_semantics() -> None:
    """As those of a container, whose signatures are beside the code; draws count as Direct3D."""
    shader = unshade.loads(counted_vertices())
    rows = [*shader.reflect().inputs, *shader.reflect().outputs]
    assert [(each.semantic, each.by_register) for each in rows] == [
        ("SV_VertexID", False), ("Sum", False),
    ]  # fmt: skip


def test_the_first_vertex_of_a_draw_call_is_a_whole_number() -> None:
    kernel = unshade.kernel(unshade.loads(counted_vertices()))
    numbers = np.array([1, 2], "<u4")
    found = kernel.transform({"SV_VertexID": numbers, "StartVertexLocation": numbers << 4})
    assert found["Sum"].tolist() == [1 + 32, 2 + 64]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (FILES["bitcode"][:-64], "expected"),
        (FILES["part"][:23], "magic"),
        (FILES["part"][:-8], "expected bitcode in bytes"),
        (FILES["part"][:24] + b"XX" + FILES["part"][26:], "expected the magic number 42 43 c0 de"),
        (wrapped(FILES["bitcode"])[:40], "expected bitcode in bytes 20 to 40"),
    ],
)
def test_malformed_files(data: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        DxilFile.loads(data)


def test_a_module_for_another_target_is_refused_by_name() -> None:
    program = DxContainer.loads(SAXPY)["DXIL"]
    program.module.triple = "spir64-unknown-unknown"
    program.rewrite()
    with pytest.raises(UnsupportedError, match=r"for dxil-ms-dx, got one for spir64-unknown-unk"):
        unshade.loads(program.bitcode_bytes())


def test_a_module_without_the_metadata_of_a_shader() -> None:
    program = DxContainer.loads(SAXPY)["DXIL"]
    named = program.module.named("dx.shaderModel")
    assert named is not None
    program.module.named_metadata.remove(named)
    program.rewrite()
    with pytest.raises(FormatError, match=r"metadata: expected dx\.version and dx\.shaderModel"):
        unshade.loads(program.bitcode_bytes())


def test_bitcode_of_later_versions_is_not_identified() -> None:
    """Its first block is that of identification, 13."""
    later = b"BC\xc0\xde" + struct.pack("<2I", 1 | 13 << 2 | 5 << 10, 0)
    assert formats.identify(later) is None
    assert formats.identify(wrapped(later)) is None
    assert formats.identify(b"BC\xc0\xde") is None


def test_other_data_with_the_letters_of_the_header_is_not_identified() -> None:
    assert formats.identify(FILES["part"][:23]) is None
    assert formats.identify(struct.pack("<HH", 0x66, 99) + FILES["part"][4:]) is None


def test_limits_and_arguments() -> None:
    for name in FORMS:
        with pytest.raises(LimitError, match="file_size = 100"):
            DxilFile.loads(FILES[name], Limits(file_size=100))
    with pytest.raises(UsageError, match="form: expected bitcode or part, got 'other'"):
        DxilFile(Program.decode(FILES["part"]), "other")
    with pytest.raises(FormatError, match="form: expected bitcode or part, got None"):
        unshade.from_data({"format": "dxil"})
    with pytest.raises(UsageError, match="no option 'colour'"):
        opened("part").disassemble(colour=True)
    assert repr(opened("part")) == "<DxilFile cs_6_6, part>"


def test_the_command_line(tmp_path: Path) -> None:
    """The file of debug information that dxc's linker writes is named .pdb, and is no PDB."""
    path = tmp_path / "linked.pdb"
    path.write_bytes(FILES["part"])
    assert run("identify", path).out == f"{path}: dxil, compute shader 6.6 (cs_6_6)\n"
    assert run("verify", path).code == 0
    again = tmp_path / "again.bc"
    assert run("asm", _edited(path), "--donor", path, "-o", again).code == 0
    assert DIFFERENCE in run("dis", again).out
    strict = ("--strict", "-o", tmp_path / "strict.bc")
    assert run("asm", _edited(path), "--format", "dxil", *strict).code == 0
    gap = tmp_path / "gap.ll"
    gap.write_text(run("dis", path).out.replace("%7 ", "%70 ").replace("%7\n", "%70\n"))
    ended = run("asm", gap, "--format", "dxil", *strict)
    assert (ended.code, "expected %7, got %70" in ended.err) == (3, True)


def _edited(path: Path) -> Path:
    text = path.with_suffix(".ll")
    text.write_text(run("dis", path).out.replace(SUM, DIFFERENCE))
    return text


def test_the_size_of_a_file_is_limited() -> None:
    check_size_is_limited(DxilFile.loads, FILES["part"])
