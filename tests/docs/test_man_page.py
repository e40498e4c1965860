"""The man page matches the command line, and is installed by a wheel."""

import importlib.util
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType

import click
import pytest

from unshade.cli import exits
from unshade.cli.parsing import COMMANDS

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "man" / "unshade.1"


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("man_page", ROOT / "tools" / "man_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_page_is_fresh() -> None:
    assert PAGE.read_text("ascii") == _generator().page(), "run: python tools/man_page.py"


def test_every_option_and_every_exit_code_is_there() -> None:
    page = PAGE.read_text("ascii")
    sections = dict(
        re.findall(
            r'^\.SS "unshade (catalog [\w-]+|[\w-]+) .*"\n((?:(?!\.S[SH]).*\n)*)', page, re.M
        )
    )
    assert list(sections) == list(COMMANDS)
    for name, command in COMMANDS.items():
        for each in command.get_params(click.Context(command)):
            for spelling in each.opts if isinstance(each, click.Option) else ():
                bold = "\\fB" + spelling.replace("-", "\\-") + "\\fR"
                assert bold in sections[name] or spelling in ("-h", "--help"), (name, spelling)
    for code in exits.MEANINGS:
        assert f"\n.TP\n.B {code}\n" in page
    assert set(exits.WORDS) <= set(exits.MEANINGS)


def test_a_wheel_installs_it() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        wheel = tomllib.load(file)["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["shared-data"] == {"docs/man/unshade.1": "share/man/man1/unshade.1"}


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff here")
def test_groff_reports_no_warning() -> None:
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", str(PAGE)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    shown = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)  # bold, in two ways
    assert "unshade diff [OPTIONS] A B" in shown
    assert "-o, --output PATH" in shown
