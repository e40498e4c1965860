"""Names of outputs in a folder, and donors that texts are matched with."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest

from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES
from unshade.cli.targets import apart, language_of


@pytest.mark.parametrize(
    ("sources", "names"),
    [
        ({"skin.pso": "skin"}, ["skin"]),
        ({"skin.pso": "skin", "skin.vso": "skin"}, ["skin.pso", "skin.vso"]),
        ({"skin.pso": "skin", "hair.vso": "hair"}, ["skin", "hair"]),
        ({"a/skin.pso": "a/skin", "b/skin.vso": "b/skin"}, ["a/skin", "b/skin"]),
        ({"Skin.pso": "Skin", "skin.vso": "skin"}, ["Skin.pso", "skin.vso"]),
        ({"skin": "skin", "skin.vso": "skin"}, ["skin", "skin.vso"]),
        # What is kept apart by its whole name is in the way of another's short one.
        (
            {"s.pso": "s", "s.vso": "s", "s.pso.bak": "s.pso"},
            ["s.pso", "s.vso", "s.pso.bak"],
        ),
        (
            {"s.pso": "s", "s.vso": "s", "s.pso.bak": "s.pso", "s.pso.bak.old": "s.pso.bak"},
            ["s.pso", "s.vso", "s.pso.bak", "s.pso.bak.old"],
        ),
    ],
)
def test_sources_of_one_stem_are_kept_apart(sources: dict[str, str], names: list[str]) -> None:
    listed = [(short, whole) for whole, short in sources.items()]
    assert apart(listed) == names
    for order in itertools.permutations(listed):
        found = dict(zip(order, apart(order), strict=True))
        assert [found[each] for each in listed] == names


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two shaders of one stem and a single one, in each kind of file."""
    root = tmp_path / "in"
    (root / "deep").mkdir(parents=True)
    for name, source in (("skin.pso", PHONG), ("skin.vso", SAXPY), ("alone.cso", SAXPY)):
        shutil.copy(source, root / name)
        shutil.copy(source, root / "deep" / name)
    (root / "alone.txt").write_text("no shader")
    return root


def made(folder: Path) -> set[str]:
    return {each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()}


APART = {"skin.pso", "skin.vso", "alone"}


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("line", "suffix"),
    [
        (["dis"], ".asm"),
        (["to-yaml"], ".yaml"),
        pytest.param(["render", "--size", "1"], ".png", marks=pytest.mark.slow),
    ],
    ids=["dis", "to-yaml", "render"],
)
def test_every_verb_names_outputs_alike(
    line: list[str], suffix: str, folder: Path, tmp_path: Path
) -> None:
    if line[0] == "render":  # pixel shaders alone can be drawn
        for place in folder.rglob("*.?so"):
            shutil.copy(EXAMPLES / "gyroid.dxbc", place)
    out = tmp_path / "out"
    ended = unshade(*line, folder, "-o", out)
    assert ended.code == 0, ended.err
    assert made(out) == {f"{way}{name}{suffix}" for way in ("", "deep/") for name in APART}


def test_parts_of_two_shaders_do_not_mix(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert unshade("extract", folder, "-o", out).code == 0
    assert {each.name for each in out.iterdir()} == {*APART, "deep"}
    assert {each.name for each in (out / "deep").iterdir()} == APART


def test_find_in_two_files_of_one_stem(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert unshade("find", folder / "skin.pso", folder / "skin.vso", "--extract", out).code == 0
    assert made(out) == {"skin.pso@0.dxbc", "skin.vso@0.dxbc"}


@pytest.mark.slow
def test_named_files_are_kept_apart_in_any_order(folder: Path, tmp_path: Path) -> None:
    files = [folder / "skin.pso", folder / "skin.vso", folder / "alone.cso"]
    for number, order in enumerate(itertools.permutations(files)):
        out = tmp_path / str(number)
        assert unshade("dis", *order, "-o", out).code == 0
        assert made(out) == {f"{name}.asm" for name in APART}
        assert (out / "skin.vso.asm").read_text().count("cs_5_0") == 1


@pytest.mark.slow
def test_yaml_round_trip(folder: Path, tmp_path: Path) -> None:
    texts, back = tmp_path / "texts", tmp_path / "back"
    assert unshade("to-yaml", folder, "-o", texts).code == 0
    assert unshade("from-yaml", texts, "-o", back).code == 0
    assert (back / "skin.vso.dxbc").read_bytes() == SAXPY.read_bytes()
    assert (back / "skin.pso.dxbc").read_bytes() == PHONG.read_bytes()


@pytest.mark.slow
def test_texts_match_their_donors_by_name(folder: Path, tmp_path: Path) -> None:
    texts, back = tmp_path / "texts", tmp_path / "back"
    assert unshade("dis", folder, "-o", texts).code == 0
    ended = unshade("asm", texts, "--donor", folder, "-o", back)
    assert ended.code == 0, ended.err
    (folder / "alone.txt").unlink()
    assert made(back) == made(folder)
    for name in made(folder):
        assert (back / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.slow
def test_sources_of_two_files_of_one_stem_are_joined_each(tmp_path: Path) -> None:
    for name in ("a.shbin", "a.bin"):
        shutil.copy(EXAMPLES / "reverse.shbin", tmp_path / name)
    texts, back = tmp_path / "texts", tmp_path / "back"
    assert unshade("dis", tmp_path, "-o", texts).code == 0
    assert unshade("asm", texts, "--no-nops", "-o", back).code == 0
    assert made(back) == {"a.shbin.shbin", "a.bin.shbin"}
    for each in back.iterdir():
        assert each.read_bytes() == (EXAMPLES / "reverse.shbin").read_bytes()


def test_a_text_of_a_whole_name_finds_its_donor_alone(folder: Path, tmp_path: Path) -> None:
    """`skin.vso.asm` was made while there was a skin.pso; the folder of donors has none now."""
    (folder / "skin.pso").unlink()
    text = tmp_path / "skin.vso.asm"
    text.write_text(unshade("dis", SAXPY).out)
    assert unshade("asm", text, "--donor", folder, "-o", tmp_path / "a").code == 0
    assert (tmp_path / "a").read_bytes() == SAXPY.read_bytes()


def test_an_ambiguous_text(folder: Path, tmp_path: Path) -> None:
    text = tmp_path / "skin.asm"
    text.write_text(unshade("dis", SAXPY).out)
    ended = unshade("asm", text, "--donor", folder, "-o", tmp_path / "a")
    assert ended.code == 2
    assert f"several donors named 'skin' in {folder}: skin.pso, skin.vso" in ended.err


def test_two_outputs_of_one_name_are_refused(folder: Path, tmp_path: Path) -> None:
    for line in (["sign"], ["dis"], ["to-yaml"], ["extract"]):
        out = tmp_path / line[0]
        ended = unshade(*line, folder / "skin.pso", folder / "deep" / "skin.pso", "-o", out)
        assert ended.code == 2
        assert "skin.pso would have the same name" in ended.err
        assert not out.exists()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("report {in}", "page.html"), ("report --diff {in} {in}", "page.html"),
        ("strip {in}", "made.cso"), ("strip {in}/skin.pso {in}/skin.vso", "made.pso"),
    ],
)  # fmt: skip
def test_a_folder_for_several_has_not_the_name_of_one(
    line: str, name: str, folder: Path, tmp_path: Path
) -> None:
    """`report --diff A B -o page.html` made a folder called page.html."""
    given = line.format(**{"in": folder}).split()
    ended = unshade(*given, "-o", tmp_path / name)
    assert ended.code == 2
    assert ended.err.endswith(f"{name}: several inputs need a folder: give -o FOLDER\n")
    assert not (tmp_path / name).exists()
    (tmp_path / name).mkdir()
    assert unshade(*given, "-o", tmp_path / name).code == 0


@pytest.mark.parametrize(
    ("verb", "output", "options", "begins"),
    [
        ("decompile", "a.glsl", [], "#version 460"),
        ("decompile", "a.frag", [], "#version 460"),
        ("decompile", "a.hlsl", [], "// written"),
        ("decompile", "a.txt", [], "// written"),
        ("decompile", "a.glsl", ["--to", "hlsl"], "// written"),
        ("translate", "a.spv", [], b"\x03\x02\x23\x07"),
        ("translate", "a.WGSL", [], "diagnostic"),
        ("headers", "a.rs", [], "// Buffers and resources of a dxcontainer shader, by unshade"),
        ("headers", "a.json", [], "{"),
    ],
)
def test_the_suffix_of_the_output_decides_the_language(
    tmp_path: Path, verb: str, output: str, options: list[str], begins: str | bytes
) -> None:
    """What --to does not ask for; HLSL in a file x.glsl would be found out by a compiler only."""
    path = tmp_path / output
    assert unshade(verb, str(PHONG), *options, "-o", str(path)).code == 0
    data = path.read_bytes()
    wanted = begins if isinstance(begins, bytes) else begins.encode()
    assert data.startswith(wanted), data[:80]


def test_a_language_without_output_is_the_default() -> None:
    assert language_of(None, None, {"c": ".h"}, "cpp") == "cpp"
    assert language_of(None, "x.H", {"c": ".h .c"}, "cpp") == "c"
    assert language_of("json", "x.h", {"c": ".h"}, "cpp") == "json"
