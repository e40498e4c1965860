"""A figure that may only rise: `ratchet("dxcontainer/digest", passed, total)`.

Two files beside the conformance tests remember the best `passed` of each figure, the `total` it was
measured on and the corpus: ratchet.json those of the whole corpus, ratchet-sample.json those of a
sampled run (sampling.py). A figure fails

- if it is less than what is remembered of the same corpus, whatever the total: what is no longer
  counted did not pass;
- of another corpus, if it is less of the same total;
- in a sampled run also if more of the sample fails than of the whole corpus (of figures that need
  tools which are seldom installed, no corpus is remembered: it is taken for the same).

Else it is only reported. `pytest --ratchet-update` writes what was measured, and the counts of a
run are at the end of its output.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NotRequired, Protocol, TypedDict
from zlib import crc32

WHOLE = Path(__file__).parent / "conformance" / "ratchet.json"
SAMPLE = WHOLE.with_name("ratchet-sample.json")
PROPERTY = "ratchet"  # key in a test report's user_properties: those travel from xdist workers


class Ratchet(Protocol):
    def __call__(self, name: str, passed: int, total: int) -> None: ...


class Known(TypedDict):
    """A figure as a ledger records it."""

    passed: int
    total: int
    corpus: NotRequired[str]


Ledger = dict[str, Known]


@dataclass(frozen=True)
class Figure:
    name: str
    passed: int
    total: int
    corpus: str = ""

    def compared(self, known: Known | None) -> str:
        """Return in a word or two how this figure compares with the remembered one."""
        if known is None:
            return "not recorded"
        if self.passed == known["passed"] and self.total == known["total"]:
            return "as recorded"
        if not self._comparable(known):
            return f"another corpus (recorded {known['passed']} of {known['total']})"
        if self.passed == known["passed"]:
            return f"as recorded, of {known['total']}"
        verb = "fell" if self.passed < known["passed"] else "rose"
        return f"{verb} from {known['passed']} of {known['total']}"

    def fault(self, known: Known | None, whole: Known | None = None) -> str:
        """Return what the ratchet refuses, or ''; `whole` is given in a sampled run."""
        measured = f"{self.name}: {self.passed} of {self.total}"
        if known is not None and self._comparable(known) and self.passed < known["passed"]:
            return f"{measured}, {self.compared(known)}"
        if whole is not None and whole.get("corpus", self.corpus) == self.corpus:
            failed, most = self.total - self.passed, whole["total"] - whole["passed"]
            if failed > most:
                return f"{measured}: {failed} of the sample fail, {most} of the whole corpus did"
        return ""

    def _comparable(self, known: Known) -> bool:
        return known.get("corpus") == self.corpus or known["total"] == self.total


def corpus_name(root: Path) -> str:
    """Return a few digits that are the same for a corpus of the same files."""
    names = [
        os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
        for folder, _, files in os.walk(root)
        for name in files
    ]
    listed = "\n".join(sorted(names))
    return f"{crc32(listed.encode()):08x}"


def read_ledger(path: Path) -> Ledger:
    ledger: Ledger = json.loads(path.read_text()) if path.exists() else {}
    return ledger


def write_ledger(figures: list[Figure], path: Path) -> None:
    """Record these figures; what else the ledger remembers stays."""
    ledger = read_ledger(path)
    for each in figures:
        ledger[each.name] = {"passed": each.passed, "total": each.total, "corpus": each.corpus}
    path.write_text(json.dumps(ledger, indent=2, sort_keys=True) + "\n", newline="\n")


def figures_in(user_properties: list[tuple[str, Any]]) -> list[Figure]:
    return [Figure(*value) for key, value in user_properties if key == PROPERTY]
