"""A figure that may only rise: `ratchet("dxcontainer/digest", passed, total)`.

tests/conformance/ratchet.json remembers the best `passed` of each figure and the `total` it was
measured on. On the same corpus (the same total) fewer passes than remembered fail the test; on
another corpus the count is only reported. `pytest --ratchet-update` writes what was measured, and
the counts of a run stand at the end of its output.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

LEDGER = Path(__file__).parent / "conformance" / "ratchet.json"
PROPERTY = "ratchet"  # key in a test report's user_properties: those travel from xdist workers


class Ratchet(Protocol):
    def __call__(self, name: str, passed: int, total: int) -> None: ...


@dataclass(frozen=True)
class Figure:
    name: str
    passed: int
    total: int

    def compared(self, ledger: dict[str, dict[str, int]]) -> str:
        """One word or two: how this figure stands to the remembered one."""
        known = ledger.get(self.name)
        if known is None:
            return "not recorded"
        if known["total"] != self.total:
            return f"another corpus (recorded {known['passed']} of {known['total']})"
        if self.passed == known["passed"]:
            return "as recorded"
        verb = "fell" if self.passed < known["passed"] else "rose"
        return f"{verb} from {known['passed']}"


def read_ledger(path: Path = LEDGER) -> dict[str, dict[str, int]]:
    ledger: dict[str, dict[str, int]] = json.loads(path.read_text()) if path.exists() else {}
    return ledger


def write_ledger(figures: list[Figure], path: Path = LEDGER) -> None:
    ledger = read_ledger(path)
    for figure in figures:
        ledger[figure.name] = {"passed": figure.passed, "total": figure.total}
    path.write_text(json.dumps(ledger, indent=2, sort_keys=True) + "\n")


def figures_in(user_properties: list[tuple[str, Any]]) -> list[Figure]:
    return [Figure(*value) for key, value in user_properties if key == PROPERTY]
