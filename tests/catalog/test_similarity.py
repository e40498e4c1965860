"""The likest shader first: edited, by other compilers, in other formats."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade as library
from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.corpus import corpus_root
from tests.examples import EXAMPLES
from tests.programs.tpf.lower.cases import compute
from unshade import catalog
from unshade.catalog import similarity
from unshade.catalog.similarity import marks_of_shader, readable
from unshade.catalog.sketches import MARKS, key_of
from unshade.errors import UsageError


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("similar")
    catalog.scan([str(EXAMPLES)], str(folder / "cat"))
    return folder / "cat"


def test_the_same_shader_is_first(examples: Path) -> None:
    with catalog.Catalog(str(examples)) as opened:
        first, second, *_ = catalog.similar(opened, library.open(PHONG))
    assert first.path is not None
    assert first.path.endswith("phong.dxbc")
    assert first.same == ("program", "shape", "interface")
    assert first.score == pytest.approx(1)
    assert first.margin == pytest.approx(1 - second.score)
    assert all(both == every for both, every in first.common.values())
    assert second.stage == "pixel"


def test_an_edited_shader(examples: Path, tmp_path: Path) -> None:
    shader = library.open(EXAMPLES / "gyroid.dxbc")
    text = shader.disassemble("exact").replace("\nmul ", "\nadd ", 3).replace("r0", "r7")
    library.assemble(text, "dxcontainer", donor=shader).save(tmp_path / "edited.dxbc")
    ended = unshade("catalog", "similar", examples, tmp_path / "edited.dxbc", "--json")
    found = json.loads(ended.out)["similar"]
    assert found[0]["path"].endswith("gyroid.dxbc")
    assert found[0]["same"] == ["interface"]
    assert 0.8 < found[0]["score"] < 1
    assert found[0]["margin"] > 0.4
    assert found[0]["common"]["constant"] == [24, 24]


def test_variants_with_the_same_marks_are_told_apart(tmp_path: Path) -> None:
    """By how often each operation occurs: the marks are of different words."""
    shader = library.open(EXAMPLES / "gyroid.dxbc")
    text = shader.disassemble("exact")
    line = next(each for each in text.split("\n") if each.startswith("rsq r0.w"))
    for count in (1, 2, 3, 4):
        code = text.replace(line, "\n".join([line] * count), 1)
        made = library.assemble(code, "dxcontainer", donor=shader)
        made.save(tmp_path / f"{count}.dxbc")
    catalog.scan([str(tmp_path / f"{count}.dxbc") for count in (4, 3, 2)], str(tmp_path / "cat"))
    with catalog.Catalog(str(tmp_path / "cat")) as opened:
        found = catalog.similar(opened, library.open(tmp_path / "1.dxbc"))
    order = [Path(each.path or "").name for each in found if found[0].score - each.score < 1e-9]
    assert len(order) > 1
    assert order == sorted(order)


def test_results_are_compared(examples: Path) -> None:
    ended = unshade("catalog", "similar", examples, SAXPY, "--prove", "--most", "1")
    assert ended.code == 0
    assert "  same     same program, same shape, same interface\n" in ended.out
    assert "  run      equal in 16 rounds of 256 lanes, seed 0\n" in ended.out


def test_a_shader_has_few_marks_that_depend_on_its_bytes_alone() -> None:
    shader = library.open(EXAMPLES / "matmul.dxbc")
    marks = marks_of_shader(shader)
    assert marks == marks_of_shader(library.open(EXAMPLES / "matmul.dxbc"))
    for kind, most in MARKS.items():
        assert 0 < sum(each.kind == kind for each in marks) <= most
    assert {each.word for each in marks if each.kind == "program"} != {""}
    assert all(-(2**63) <= each.mark < 2**63 for each in marks)
    assert key_of("f" * 64) == 2**60 - 1


def test_constants_in_a_table_are_those_of_instructions() -> None:
    """A compiler keeps them in a table, another one in the code that it unrolled."""
    numbers = "l(77, 3735928559, 0.109375, 12.5)"
    uav = "dcl_uav_raw u0"
    table = "dcl_immediateConstantBuffer { { 77, 3735928559, 0.109375, 12.5} }"
    plain = compute(f"store_raw u0.xyzw, l(0), {numbers}", uav)
    tabled = compute(
        "mov r0.x, vThreadID.x\nstore_raw u0.xyzw, l(0), icb[r0.x + 0].xyzw", table, uav
    )
    found = [
        {
            each.word
            for each in marks_of_shader(library.assemble(text, "dxcontainer"))
            if each.kind == "constant"
        }
        for text in (plain, tabled)
    ]
    assert found[0] == {"77", "3735928559", "0.10938", "12.5"}
    assert found[1] >= found[0]  # and the offsets of components in the table


def test_no_marks(made: Path, build: Path, tmp_path: Path) -> None:
    catalog.scan([str(build)], str(tmp_path / "quick"), quick=True)
    with (
        catalog.Catalog(str(tmp_path / "quick")) as opened,
        pytest.raises(UsageError, match="not quick"),
    ):
        catalog.similar(opened, library.open(PHONG))
    catalog.scan([str(build / "words.txt")], str(tmp_path / "empty"))
    assert unshade("catalog", "similar", tmp_path / "empty", PHONG).code == 1
    with catalog.Catalog(str(made)) as opened:
        assert catalog.similar(opened, library.open(EXAMPLES / "sheet.h.dxbc")) == []


@pytest.mark.parametrize("runs", [0, 1, 7])
def test_keys_are_numbered(runs: int) -> None:
    chance = random.Random(runs)
    listed = [sorted(chance.choices(range(-50, 50), k=40)) for _ in range(runs)]
    keys = np.array([each for run in listed for each in run], np.int64)
    found, numbers = similarity._numbered(keys)
    right, places = np.unique(keys, return_inverse=True)
    assert found.tolist() == right.tolist()
    assert numbers.tolist() == places.tolist()


@pytest.mark.parametrize(
    ("scores", "most", "asked"),
    [
        ([9, 8, 7, 6, 5, 4, 3, 2], 1, 4),  # of two keys one is of the stage
        ([9, 8, 7, 6, 5, 4, 3, 2], 3, 8),
        ([9, 9, 9, 9, 9, 4, 3, 2], 1, 8),  # all that have the best score are compared further
        ([9, 9, 9, 4, 3, 2, 1, 0], 0, 6),
        ([], 1, 0),
    ],
)
def test_no_more_rows_are_read_than_are_told(
    scores: list[int], most: int, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def described(_: object, keys: Sequence[int]) -> dict[int, tuple[Any, ...]]:
        read.extend(keys)
        return {key: ("", "", "vertex" if key % 2 else "pixel", "") for key in keys}

    monkeypatch.setattr(similarity, "_described", described)
    monkeypatch.setattr(similarity, "PIECE", 2)
    ranked = [(key, float(score)) for key, score in enumerate(scores)]
    nothing: Any = None
    found, rows = similarity._of_stage(nothing, ranked, "pixel", most)
    whole = ranked[::2]
    assert found == whole[: len(found)]
    assert len(found) > most or found == whole
    assert all(each in found for each in whole if each[1] == ranked[0][1])
    assert read == [*rows] == [*range(asked)]


@pytest.mark.conformance
def test_other_compilers_and_formats(tmp_path: Path) -> None:
    """The twins of our own sources, among all others, within each format."""
    folder = corpus_root() / "execution"
    (tmp_path / "in").mkdir()
    for path in folder.iterdir():
        if path.suffix in (".spv", ".dxbc", ".dxil"):
            shutil.copy(path, tmp_path / "in")
    catalog.scan([str(tmp_path / "in")], str(tmp_path / "cat"))
    right = total = 0
    with catalog.Catalog(str(tmp_path / "cat")) as opened:
        for path in sorted((tmp_path / "in").iterdir()):
            found = [
                Path(each.path).name
                for each in catalog.similar(opened, library.open(path), most=100)
                if each.path
            ]
            for suffix in (".spv", ".dxbc", ".dxil"):
                stem = path.name.removesuffix(path.suffix).removesuffix(".opt")
                twins = {f"{stem}{suffix}", f"{stem}.opt{suffix}"} - {path.name}
                if any((tmp_path / "in" / each).exists() for each in twins):
                    own = [each for each in found if each.endswith(suffix) and each != path.name]
                    right += bool(own) and own[0] in twins
                    total += 1
    assert total >= 300
    assert right / total >= 0.95


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("resource constant_buffer None False", "resource constant_buffer"),
        ("resource texture texture2d True", "resource texture texture2d writable"),
        ("name resource None False", "name resource None False"),
    ],
)
def test_words_of_resources_are_shown_without_what_they_are_not(word: str, shown: str) -> None:
    assert readable(word) == shown
