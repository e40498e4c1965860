"""Fill the figures of docs/status.md from the conformance tests' ledger: `python tools/status.py`.

    | written back | <!-- figure: dxcontainer/round trip: YAML -->1,238 of 1,238<!-- / --> |

The text between the marks is the entry of that name in tests/conformance/ratchet.json. `+` adds
figures, `passed of` and `total of` show one number, and a name with `*` means all matching entries,
which must be equal. tests/docs/test_status.py fails if a figure is stale or has no mark.
"""

import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.ratchet import WHOLE, Known, Ledger, read_ledger  # noqa: E402

PAGE = ROOT / "docs" / "status.md"
MARK = re.compile(r"<!-- figure: (.+?) -->(.*?)<!-- / -->")


def filled(page: str, ledger: Ledger) -> str:
    """Return the page with the ledger's figures; raise KeyError for one that it lacks."""
    return MARK.sub(
        lambda mark: f"<!-- figure: {mark[1]} -->{figure(mark[1], ledger)}<!-- / -->", page
    )


def figure(name: str, ledger: Ledger) -> str:
    """Return the text of a figure, or of one of its two numbers."""
    for one in ("passed", "total"):
        if name.startswith(f"{one} of "):
            return f"{_number(name.removeprefix(f'{one} of '), ledger)[one]:,}"
    known = _number(name, ledger)
    return f"{known['passed']:,} of {known['total']:,}"


def _number(name: str, ledger: Ledger) -> Known:
    parts = [_known(each, ledger) for each in name.split(" + ")]
    return {
        "passed": sum(each["passed"] for each in parts),
        "total": sum(each["total"] for each in parts),
    }


def _known(name: str, ledger: Ledger) -> Known:
    if "*" not in name:
        return ledger[name]
    several = [known for each, known in ledger.items() if fnmatchcase(each, name)]
    if not several or any(
        (each["passed"], each["total"]) != (several[0]["passed"], several[0]["total"])
        for each in several
    ):
        raise KeyError(f"{name}: {len(several)} figures, which are not alike")
    return several[0]


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(filled(page, read_ledger(WHOLE)), encoding="utf-8")


if __name__ == "__main__":
    main()
