"""Findings of `verify` in the SHBIN files of the corpus, by the tool that wrote them.

Some of picasso's are tests of assemblers, or legal sources of programs that no hardware should run;
the rules that they break are listed here, each with its reason.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

import unshade
from tests.ratchet import Ratchet
from unshade.rule import is_finding

# Rules that files of picasso break, and what in their sources does it.
ERRATA = {
    "pica.missing-end": "fragments that test an assembler, without `end`",
    "pica.output-unwritten": "an output is declared and never written",
    "pica.output-twice": "an output component is written twice",
    "shbin.no-position": "a fragment that tests an assembler, without a position",
}
OTHERS = {  # what the other writers' own habits break
    "pica.entry": "aemstro: a file without code",
    "pica.descriptor-count": "azahar writes the whole descriptor memory",
    "pica.geometry-only": "aemstro: an executable for a vertex shader that there is none of",
    "pica.output-twice": "aemstro: the same",
}


@pytest.fixture(scope="module")
def findings(corpus: Path) -> dict[str, Counter[tuple[str, str]]]:
    """By writer: (file, code) of every error and warning."""
    folder = corpus / "shbin"
    found: dict[str, Counter[tuple[str, str]]] = {}
    for each in json.loads((folder / "MANIFEST.json").read_text()):
        counts = found.setdefault(each["writer"].split()[0], Counter())
        shader = unshade.open(folder / each["file"])
        counts.update((each["file"], one.code) for one in shader.verify() if is_finding(one))
        counts[each["file"], ""] += 1
    return found


def test_files_of_picasso(findings: dict[str, Counter[tuple[str, str]]], ratchet: Ratchet) -> None:
    found = findings["picasso"]
    codes = {code for _, code in found if code}
    files = {file for file, _ in found}
    clean = files - {file for file, code in found if code}
    ratchet("shbin/verify: picasso's files without a finding", len(clean), len(files))
    assert codes <= ERRATA.keys()


def test_files_of_others(findings: dict[str, Counter[tuple[str, str]]]) -> None:
    for writer, found in findings.items():
        if writer != "picasso":
            assert {code for _, code in found if code} <= OTHERS.keys(), writer


def test_every_exception_is_needed(findings: dict[str, Counter[tuple[str, str]]]) -> None:
    assert {code for _, code in findings["picasso"] if code} == ERRATA.keys()
    others = {
        code for writer, found in findings.items() if writer != "picasso" for _, code in found
    }
    assert others - {""} == OTHERS.keys()
