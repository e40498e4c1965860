"""Completion of command lines: verbs, options and values, from the declarations and the files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import click
import pytest
from click.shell_completion import CompletionItem, ShellComplete
from click.types import StringParamType

import unshade as library
from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.cli.test_shbin import REVERSE
from tests.examples import EXAMPLES
from tests.programs.dxil.lower.test_exported import LIBRARY
from unshade.analysis.explanations import known_rules
from unshade.analysis.metrics import METRICS
from unshade.cli import candidates
from unshade.cli.parsing import COMMANDS
from unshade.cli.parsing import unshade as group
from unshade.cli.paths import PathType
from unshade.cli.verbs.completion import VARIABLE
from unshade.dialect import DIALECTS
from unshade.model import (
    ConstantBuffer,
    InterfaceClass,
    InterfaceInstance,
    Interfaces,
    InterfaceSlot,
    Reflection,
    TypeDescription,
    Variable,
)
from unshade.parts import Category
from unshade.run.debugging.debugger import KINDS

FLOAT = TypeDescription(type_class="scalar", scalar="float")


def items(*line: str | Path) -> list[CompletionItem]:
    """Return the completions of the last word of a line."""
    *before, begun = map(str, line)
    return ShellComplete(group, {}, "unshade", VARIABLE).get_completions(before, begun)


def values(*line: str | Path) -> list[str]:
    return [each.value for each in items(*line)]


def test_verbs_and_options() -> None:
    assert values("") == list(group.commands)
    assert values("ver") == ["verify"]
    assert values("catalog", "s") == ["scan", "show", "similar"]
    assert values("catalog", "query", "--c") == ["--csv"]
    assert values("ex") == ["extract", "explain"]
    assert values("verify", "--ex") == ["--explain"]
    assert set(values("check", "--max-")) == {f"--max-{name}" for name in (*METRICS, "growth")}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["dis", "--dialect", ""], list(DIALECTS)),
        (["dis", "--generation", "9."], ["9.29", "9.30"]),
        (["asm", "--format", ""], ["dxcontainer", "shbin", "vbc", "spirv", "sksl", "d3d9"]),
        (["verify", "--format", "s"], ["sarif"]),
        (["verify", "--explain", "tpf.ma"], ["tpf.mask"]),
        (["explain", "sample_l_"], ["sample_l_s"]),
        (["explain", "--language", "d3d9", "texm3x3v"], ["texm3x3vspec"]),
        (["explain", "--language", "d"], ["dxc", "d3d9"]),
        (["explain", "--language", "klingon", "m"], []),
        (["verify", "--explain", ""], list(known_rules())),
        (["check", "--stage", "p"], ["pixel"]),
        (["diff", "--only", ""], [str(each) for each in Category]),
        (["diff", "--ignore", "code,inter"], ["code,interface"]),
        (["diff", "--ignore", "code,co"], ["code,compiler", "code,container"]),
        (["debug", "--findings", "race,na"], ["race,nan"]),
        (["debug", "--findings", ""], [*KINDS, "none"]),
        (["render", "--cull", ""], ["none", "back", "front"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["extract", PHONG, "--only", ""], ["ISGN", "OSGN", "RDEF", "SHDR", "STAT"]),
        (["extract", "missing", "--only", ""], []),
        (["hexdump", PHONG, "--only", "RDEF.b"],
         ["RDEF.buffer_count", "RDEF.buffers", "RDEF.binding_count", "RDEF.bindings"]),
        (["hexdump", PHONG, "--only", "RDEF.buffers"], ["RDEF.buffers", "RDEF.buffers[0]"]),
        (["hexdump", PHONG, "--part", "OS"], ["OSGN"]),
        (["run", SAXPY, "--bind", ""], ["X=", "t0=", "Y=", "u1=", "P=", "cb0="]),
        (["run", "--bind", "X=x.npy", SAXPY, "--bind", "Y"], ["Y="]),
        (["render", "--ps", PHONG, "--bind", "TEXCOORD"],
         ["TEXCOORD=", "TEXCOORD1=", "TEXCOORD2="]),
        (["render", PHONG, "--set", "u_"], ["u_l=", "u_eye=", "u_n="]),
        (["render", PHONG, "--target", ""], ["SV_Target0", "SV_Target1", "depth"]),
        (["debug", REVERSE, "--set", "p"], ["projection="]),
    ],
    ids=lambda each: " ".join(map(str, each)) if each and isinstance(each[0], str) else None,
)  # fmt: skip
def test_values_of_options(line: list[str | Path], expected: list[str]) -> None:
    assert values(*line) == expected


def test_classes_of_interfaces() -> None:
    found = Reflection(
        format="x",
        constant_buffers=[
            ConstantBuffer(
                name="ThisPointer", kind="interface_pointers", size=1,
                variables=[Variable(name="light", offset=2, size=1, type=FLOAT)],
            )
        ],
        interfaces=Interfaces(
            slot_count=3,
            classes=[
                InterfaceClass(name=name, id=n, constant_buffer_stride=0, textures=0, samplers=0)
                for n, name in enumerate(("cRed", "cBlue"))
            ],
            instances=[
                InterfaceInstance(
                    name="sun", class_id=1, elements=1, constant_buffer=None,
                    constant_buffer_offset=None, texture=None, sampler=None,
                )
            ],
            slots=[
                InterfaceSlot(
                    start=2, span=1, class_ids=[0, 1], tables=[5, 6],
                    labels=["fp2"], table_labels=["ft5", "ft6"],
                )
            ],
        ),
    )  # fmt: skip
    with mock.patch("unshade.formats.dxcontainer.DxContainer.reflect", return_value=found):
        assert values("run", PHONG, "--interface", "") == [
            "fp2=ft5", "fp2=ft6", "light=cRed", "light=cBlue", "light=sun",
        ]  # fmt: skip
        assert values("run", PHONG, "--interface", "light=c") == ["light=cRed", "light=cBlue"]


def test_candidates_have_descriptions() -> None:
    [rule] = items("verify", "--explain", "tpf.mask")
    assert rule.help == known_rules()["tpf.mask"].summary
    [part] = items("extract", PHONG, "--only", "RDEF")
    assert part.help == "resource definitions"


@pytest.mark.parametrize(
    "line", [["info", "exam"], ["dis", PHONG, "-o", "exam"], ["asm", "--donor", "exam"]]
)
def test_paths_are_left_to_the_shell(line: list[str | Path]) -> None:
    assert [(each.value, each.type) for each in items(*line)] == [("exam", "file")]


# Texts of which nothing is known before they are written.
FREE = {
    "X,Y,Z", "WxH", "SEMANTIC=SOURCE", "WHERE", "REGISTER", "NAME=VALUE", "SECONDS", "DEGREES", "N",
    "FIRST=N", "X,Y", "PLACE@LINE", "NAME", "FOLDER", "FIELD=VALUE", "TEMPLATE", "SQL",
    "RULE", "ADDRESS", "NAME=SET:BINDING", "COMMAND", "CODE",
}  # fmt: skip


def test_every_option_with_a_name_has_candidates() -> None:
    for verb, command in COMMANDS.items():
        for each in command.get_params(click.Context(command)):
            known = isinstance(each.type, PathType) or getattr(each, "_custom_shell_complete", None)
            if type(each.type) is StringParamType and not known:
                assert each.metavar in FREE, (verb, each.name)


def test_no_candidate_function_raises(tmp_path: Path) -> None:
    cut = tmp_path / "cut.dxbc"
    cut.write_bytes(PHONG.read_bytes()[:2000])
    given = {"files": (str(cut), "-", str(tmp_path), "missing")}
    for kind in (candidates.parts, candidates.fields, candidates.bindings, candidates.variables,
                 candidates.targets):  # fmt: skip
        assert candidates.fitting(kind, given, "") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("no bash here")
    ended = unshade("completion", shell)
    assert (ended.code, ended.err) == (0, "")
    assert f"{VARIABLE}={shell}_complete" in ended.out
    assert unshade("completion", "tcsh").code == 2


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_in_bash(tmp_path: Path) -> None:
    tool = tmp_path / "unshade"
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m unshade "$@"\n')
    tool.chmod(0o755)
    script = (
        'eval "$(unshade completion bash)"; COMP_WORDS=(unshade verify --explain tpf.ma);'
        ' COMP_CWORD=3; _unshade_completion unshade; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "tpf.mask\n"


def test_functions_and_constants(tmp_path: Path) -> None:
    path = tmp_path / "functions.dxil"
    library.assemble(LIBRARY, "dxcontainer").save(path)
    assert values("run", path, "--entry", "") == ["lit::shade", "twice", "light", "corner", "wide"]
    assert values("render", EXAMPLES / "clay.frag.spv", "--constant", "") == ["SHININESS="]


def test_members_of_elements_cannot_be_set() -> None:
    assert values("run", SAXPY, "--set", "") == ["a=", "n="]


def test_items_of_a_list_are_completed_one_by_one() -> None:
    def words(given: object) -> Iterator[tuple[str, str]]:
        yield from (("one", "1"), ("other", "2"), ("two", "3"), ("on,e", "4"))

    def of(begun: str, *, several: bool) -> list[tuple[str, str]]:
        return candidates.fitting(words, {}, begun, several=several)

    assert of("o", several=False) == [("one", "1"), ("other", "2"), ("on,e", "4")]
    assert of("o", several=True) == of("o", several=False)
    assert of("two,o", several=False) == []
    assert of("on,", several=False) == [("on,e", "4")]
    assert of("two,o", several=True) == [("two,one", "1"), ("two,other", "2"), ("two,on,e", "4")]
    assert of("one,two,o", several=True) == [("one,two,other", "2"), ("one,two,on,e", "4")]
