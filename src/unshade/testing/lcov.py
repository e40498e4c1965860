"""Coverage of listings in LCOV's trace format.

    SF:listings/saxpy.dxbc.asm       a file: the listing
    DA:12,64                         line 12 ran 64 times
    BRDA:20,0,1,3                    of line 20's branch 0 way 1 was taken 3 times
    end_of_record

Source: the manual page geninfo(1) of LCOV, section "FILES".
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..vm.lockstep.debug import Coverage

Record = dict[str, Any]  # plain data: travels between the processes of a test run


def record(coverage: "Coverage", listing: list[str]) -> Record:
    """Return one program's coverage as plain data."""
    branches = {
        f"{line},{number}": branch.ways for (line, number), branch in coverage.branches.items()
    }
    lines = {str(line): count for line, count in coverage.lines.items()}
    return {"listing": listing, "lines": lines, "branches": branches}


def merge(into: dict[str, Record], more: Mapping[str, Record]) -> None:
    """Add what another process counted."""
    for name, each in more.items():
        known = into.setdefault(name, {"listing": each["listing"], "lines": {}, "branches": {}})
        for line, count in each["lines"].items():
            known["lines"][line] = known["lines"].get(line, 0) + count
        for key, ways in each["branches"].items():
            before = known["branches"].get(key, [0] * len(ways))
            known["branches"][key] = [a + b for a, b in zip(before, ways, strict=True)]


def text(name: str, one: Record) -> Iterator[str]:
    """Yield the lines of the record of one listing."""
    yield "TN:"
    yield f"SF:{name}"
    taken = 0
    total = 0
    for key, ways in sorted(
        one["branches"].items(), key=lambda each: [int(n) for n in each[0].split(",")]
    ):
        line, number = key.split(",")
        reached = any(ways)
        for way, count in enumerate(ways):
            yield f"BRDA:{line},{number},{way},{count if reached else '-'}"
            total += 1
            taken += bool(count)
    yield f"BRF:{total}"
    yield f"BRH:{taken}"
    lines = sorted((int(line), count) for line, count in one["lines"].items())
    for number, count in lines:
        yield f"DA:{number},{count}"
    yield f"LF:{len(lines)}"
    yield f"LH:{sum(bool(count) for _, count in lines)}"
    yield "end_of_record"
