"""`run --entry` of functions that a DXIL library exports."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import unshade
from tests.programs.dxil.lower.test_exported import LIBRARY
from unshade.cli import main

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("library") / "functions.dxil"
    unshade.assemble(LIBRARY, "dxcontainer").save(path)
    return str(path)


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        (("lit::shade", "normal=[[0,0,3],[0,0,4]]", "k=0.5"), "result  float32 (2,)  1.5 2\n"),
        (("lit::shade", "normal=0,0,3", "k=2"), "result  float32 ()  6\n"),
        (
            ("twice", "p0=iota(2,2,uint32)", "count=[5,6]"),
            "count  uint32 (2,)  6 7\nresult  uint32 (2, 2)  0 2, 4 6\n",
        ),
        (("corner", "m=[[1,2,3],[4,5,6]]"), "result  float32 ()  3\n"),
        (("wide", "x=5", "y=2.5", "z=true"), "result  int64 ()  7\n"),
        (("wide", "x=5", "y=2.5", "z=false"), "result  int64 ()  0\n"),
    ],
)
def test_arguments_are_bound_by_the_names_of_parameters(
    line: tuple[str, ...], printed: str, library: str, capsys: pytest.CaptureFixture[str]
) -> None:
    entry, *arguments = line
    bound = [word for each in arguments for word in ("--bind", each)]
    assert main(["run", library, "--entry", entry, *bound]) == 0
    assert capsys.readouterr().out == printed


def test_results_are_written(
    library: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["run", library, "--entry", "twice", "--bind", "p0=[[1,2]]", "--bind", "count=[5]"]
    assert main([*line, "-o", f"result={tmp_path / 'out.npy'}"]) == 0
    assert np.load(tmp_path / "out.npy").tolist() == [[2, 4]]
    assert main([*line, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["results"] == {"count": [6], "result": [[2, 4]]}
    assert found["lanes"] == 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ((), "several functions; select one with entry (--entry): lit::shade, twice, "),
        (("--entry", "shadow"), "unknown entry point 'shadow'; known: lit::shade, twice, light"),
        (("--entry", "lit::shade"), "k                input       (n,) float32"),
        (("--entry", "lit::shade", "--bind", "normal=0,0,1"), "missing argument k float32 (n,)"),
        (("--entry", "lit::shade", "--bind", "j=1"), "unknown name 'j'"),
        (("--entry", "wide", "--groups", "1", "--bind", "x=1"), "--groups: expected a compute"),
    ],
)
def test_errors_name_what_a_function_takes(
    line: tuple[str, ...], words: str, library: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", library, *line]) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert not captured.out
