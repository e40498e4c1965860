"""JUnit XML: a test case for each file, in the form that CI systems read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.terminal import PHONG, unshade
from unshade.errors import Diagnostic, Severity
from unshade.report.junit import junit


def suite_of(documents: list[dict[str, Any]]) -> ElementTree.Element:
    text = junit(documents)
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')
    root = ElementTree.fromstring(text.encode())
    [suite] = root
    cases = suite.findall("testcase")
    assert {name: int(suite.attrib[name]) for name in ("tests", "failures", "errors")} == {
        "tests": len(cases),
        "failures": len(suite.findall("testcase/failure")),
        "errors": len(suite.findall("testcase/error")),
    }
    return suite


def finding(severity: Severity, message: str = "wrong") -> dict[str, object]:
    return Diagnostic("tpf.mask", severity, message, offset=4, path="SHDR").to_dict()


def test_each_file_is_a_case() -> None:
    suite = suite_of(
        [
            {"file": os.path.join("folder", "ok.dxbc"), "findings": []},
            {"file": "bad.dxbc", "findings": [
                finding(Severity.NOTE, "worth knowing"), finding(Severity.WARNING, "odd"),
                finding(Severity.ERROR, "broken"),
            ]},
            {"file": "cut.dxbc", "error": {"kind": "FormatError", "message": "at 0x4: 7 < 8"}},
        ]
    )  # fmt: skip
    ok, bad, cut = suite
    assert ok.attrib == {
        "classname": "unshade.verify", "name": os.path.join("folder", "ok.dxbc"),
    }  # fmt: skip
    assert len(ok) == 0
    [failure] = bad.findall("failure")
    assert failure.attrib == {
        "type": "tpf.mask", "message": "2 findings: warning tpf.mask at 0x4: SHDR: odd",
    }  # fmt: skip
    assert failure.text == (
        "warning tpf.mask at 0x4: SHDR: odd\nerror tpf.mask at 0x4: SHDR: broken"
    )
    assert bad.findtext("system-out") == "note tpf.mask at 0x4: SHDR: worth knowing"
    assert [each.attrib for each in cut] == [{"type": "FormatError", "message": "at 0x4: 7 < 8"}]


def test_notes_are_no_failures() -> None:
    [case] = suite_of([{"file": "a", "findings": [finding(Severity.NOTE)]}])
    assert [each.tag for each in case] == ["system-out"]


def test_characters_that_xml_excludes_are_escaped() -> None:
    evil = "\x00\x1b[2J]]>\ufffe\udcff<b>"
    suite = suite_of(
        [
            {"file": evil, "findings": [finding(Severity.ERROR, evil)]},
            {"file": "a", "error": {"kind": "FormatError", "message": evil}},
        ]
    )
    escaped = "\\x00\\x1b[2J]]>\\ufffe\\xff<b>"
    assert suite[0].attrib["name"] == escaped
    assert (suite[0].findtext("failure") or "").endswith(escaped)
    assert suite[1][0].attrib["message"] == escaped


def test_the_verb_writes_it_at_once_and_only_there(tmp_path: Path) -> None:
    place = tmp_path / "report.xml"
    ended = unshade("verify", "--format", "junit", PHONG, "missing", "-o", place)
    assert (ended.code, ended.out) == (2, "")
    [suite] = ElementTree.fromstring(place.read_bytes())
    assert [each.attrib["name"] for each in suite] == [str(PHONG), "missing"]
    assert unshade("verify", "--format", "junit", PHONG).out.startswith("<?xml")


@pytest.mark.parametrize("format", ["junit", "sarif"])
def test_formats_exclude_each_other(format: str) -> None:
    ended = unshade("verify", "--json", "--format", format, PHONG)
    assert ended == (2, b"", f"unshade: --json cannot be combined with --format {format}\n")
    ended = unshade("verify", "--rules", "--format", format)
    assert ended.code == 2
    assert "needs FILE...: it cannot list rules" in ended.err
    assert unshade("verify", "--format", "json", PHONG) == unshade("verify", "--json", PHONG)
