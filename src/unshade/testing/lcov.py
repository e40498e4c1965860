"""Coverage of listings and of sources in LCOV's trace format.

    SF:listings/saxpy.dxbc.asm       a file: the listing, or a source
    DA:12,64                         line 12 ran 64 times
    BRDA:20,0,1,3                    of line 20's branch 0 way 1 was taken 3 times
    end_of_record

Source: the manual page geninfo(1) of LCOV, section "FILES".
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..ir.source_text import SourceTexts

if TYPE_CHECKING:
    from ..vm.lockstep.debug import Coverage

Record = dict[str, Any]  # plain data: travels between the processes of a test run


def record(
    coverage: "Coverage", listing: list[str], texts: Mapping[str, str] | None = None
) -> Record:
    """Return one program's coverage as plain data; `texts` are its sources, as far as known.

    Lines of the source text are numbered like the counts, by `#line` directives.
    """
    branches = {
        f"{line},{number}": branch.ways for (line, number), branch in coverage.branches.items()
    }
    lines = {str(line): count for line, count in coverage.lines.items()}
    sources: dict[str, Record] = {}
    known = SourceTexts(texts or {})
    for (file, number), count in coverage.source_lines.items():
        if file not in sources:
            sources[file] = {"text": known.whole(file), "lines": {}, "branches": {}}
        sources[file]["lines"][str(number)] = count
    for branch in coverage.branches.values():
        if branch.source is not None and branch.source[0] in sources:
            file, number = branch.source
            _add_branch(sources[file]["branches"], number, branch.ways)
    return {"listing": listing, "lines": lines, "branches": branches, "sources": sources}


def merge(into: dict[str, Record], more: Mapping[str, Record]) -> None:
    """Add the counts of another process."""
    for name, each in more.items():
        first = {"listing": each["listing"], "lines": {}, "branches": {}, "sources": {}}
        known = into.setdefault(name, first)
        _add(known, each)
        for file, one in each["sources"].items():
            text = {"text": one["text"], "lines": {}, "branches": {}}
            _add(known["sources"].setdefault(file, text), one)


def by_source(records: Mapping[str, Record]) -> tuple[dict[str, Record], dict[str, Record]]:
    """Return the coverage of source files, added over programs, and of programs without sources."""
    files: dict[str, Record] = {}
    rest: dict[str, Record] = {}
    for name, each in records.items():
        if not each["sources"]:
            rest[name] = each
        for file, one in each["sources"].items():
            known = files.setdefault(file, {"text": one["text"], "lines": {}, "branches": {}})
            _add_lines(known, one)
            for key, ways in one["branches"].items():
                _add_branch(known["branches"], int(key.split(",")[0]), ways)
    return files, rest


def _add(known: Record, each: Record) -> None:
    """Add the counts of another run of the same program."""
    _add_lines(known, each)
    for key, ways in each["branches"].items():
        before = known["branches"].get(key, [0] * len(ways))
        known["branches"][key] = [a + b for a, b in zip(before, ways, strict=True)]


def _add_lines(known: Record, each: Record) -> None:
    for line, count in each["lines"].items():
        known["lines"][line] = known["lines"].get(line, 0) + count


def _add_branch(branches: Record, line: int, ways: list[int]) -> None:
    """Add a branch under the next number of its line."""
    number = sum(key.startswith(f"{line},") for key in branches)
    branches[f"{line},{number}"] = ways


def text(name: str, one: Record) -> Iterator[str]:
    """Yield the lines of the record of one file."""
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
