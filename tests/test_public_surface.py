"""Nothing that users rely on disappears: names, parameters, options, exit codes, schemas."""

import re

import pytest

from tools import public_surface
from unshade.cli.exits import BRIEF, MEANINGS

pytestmark = pytest.mark.slow


def test_everything_recorded_is_there() -> None:
    """A line that goes on purpose is removed with `python tools/public_surface.py`."""
    assert public_surface.gone() == []


def test_what_is_recorded() -> None:
    recorded = public_surface.RECORD.read_text("utf-8").splitlines()
    assert recorded == sorted(set(recorded))
    assert {
        "python open offset", "python Shader.save", "field Reflection.stage", "option info --json",
        "exit 3 malformed input", "dialect exact", "schema urn:unshade:info-json:1",
    } <= set(recorded)  # fmt: skip


def test_a_line_that_is_gone_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    present = public_surface.surface()
    monkeypatch.setattr(public_surface, "surface", lambda: present[1:])
    assert public_surface.gone() == [present[0]]


def test_the_page_of_promises_has_every_exit_code() -> None:
    page = (public_surface.HERE.parent / "docs" / "promises.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| (\d+) \| (.*) \|$", page, re.MULTILINE))
    assert {str(code): MEANINGS[code].rstrip(".").lower() for code in BRIEF} == {
        code: words.lower() for code, words in rows.items() if int(code) in BRIEF
    }
