"""The documentation is true: its console sessions and Python examples are run.

A ```console block is a session: `$ command` (`> ` goes on with it), then what it prints on both
streams. A line `…` stands for any lines. Each page starts with a copy of examples/ and nothing else
around it.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.corpus import REPOSITORY
from unshade.cli.exits import WORDS
from unshade.cli.parsing import COMMANDS

PAGES = [
    REPOSITORY / "README.md",
    REPOSITORY / "SECURITY.md",
    *sorted(path for path in (REPOSITORY / "docs").rglob("*.md") if path.parent.name != "formats"),
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")


def blocks(page: Path, language: str) -> list[str]:
    return [body for kind, body in BLOCK.findall(page.read_text("utf-8")) if kind == language]


def steps(session: str) -> Iterator[tuple[str, str]]:
    for step in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        first, *rest = step.splitlines(keepends=True)
        more = [line for line in rest if line.startswith("> ")]
        yield first + "".join(line[2:] for line in more), "".join(rest[len(more) :])


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shutil.copytree(REPOSITORY / "examples", tmp_path / "examples")
    tools = tmp_path / ".bin"
    tools.mkdir()
    (tools / "unshade").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m unshade "$@"\n')
    (tools / "unshade").chmod(0o755)
    plugin = "-p no:unshade -p unshade.testing.plugin -p no:cacheprovider"
    (tools / "pytest").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pytest {plugin} "$@"\n')
    (tools / "pytest").chmod(0o755)
    return tmp_path


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("sh") is None, reason="sessions are of a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_sessions_match_the_page(page: Path, place: Path) -> None:
    env = {name: value for name, value in os.environ.items() if not name.endswith("_COLOR")}
    env |= {
        "PATH": f"{place / '.bin'}{os.pathsep}{env['PATH']}",
        "PYTHONPATH": str(REPOSITORY / "src"),
        "LC_ALL": "C.UTF-8",
    }
    for session in blocks(page, "console"):
        for command, shown in steps(session):
            done = subprocess.run(
                ["sh", "-c", command],
                cwd=place,
                env=env,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=60,
            )
            printed = done.stdout.decode()
            pattern = re.escape(shown).replace(re.escape("…\n"), r"(?:.*\n)*")
            assert re.fullmatch(pattern, printed), f"{command}\n{printed}"


@pytest.mark.heavy
@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.stem
)
def test_python_examples_match_the_page(
    page: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    names: dict[str, object] = {}
    for body in blocks(page, "python"):
        test = doctest.DocTestParser().get_doctest(body, names, page.name, str(page), 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        failures: list[str] = []
        runner.run(test, out=failures.append, clear_globs=False)
        names = test.globs
        assert not failures, "".join(failures)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_have_targets(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_command_and_option_is_documented() -> None:
    page = (REPOSITORY / "docs" / "cli.md").read_text("utf-8")
    sections = dict(re.findall(r"^## `unshade ([\w -]+)`\n(.*?)(?=^## |\Z)", page, re.M | re.S))
    assert list(sections) == list(COMMANDS)
    for name, command in COMMANDS.items():
        for parameter in command.get_params(click.Context(command)):
            if parameter.param_type_name != "option" or "--help" in parameter.opts:
                continue
            for spelling in parameter.opts:
                assert f"`{spelling}" in sections[name], f"{name} {spelling}"
    for code in WORDS:
        assert re.search(rf"^\| {code} \|", page, re.MULTILINE), code
