"""Assembly of the text that `listing.py` describes, in either dialect.

    comments up to the first `; stage`     the reflection; other comments are ignored
    ; stage NAME                           the text of a module, up to the next one

A stage line inside a string, which may have several lines, is text. The version of a module in
native text is read from its comment `; Version: 1.5`; without a comment it is 1.5, which vslc
writes.
"""

import json
import re
from typing import Any

from ...dialect import checked_heading
from ...errors import AssembleError, FormatError, UnshadeError, did_you_mean
from ...isa.source import ErrorList, Source
from .data import from_fields
from .listing import BYTES, EXACT, LISTS, PLAIN_WORD, STAGE
from .older import OlderLayout
from .parts import HEAD
from .program import read_module
from .records import SubpassForm, VbcFile
from .spelling import NAMES

__all__ = ["assemble"]

ROWS = (*LISTS, "uniform.members")
SINGLE = (HEAD, "tables", "uniform")
PATH = re.compile(rf"; ({'|'.join(map(re.escape, (*SINGLE, *ROWS)))})(?:\[(\d{{1,9}})\])?(?= |$)")
FIELD = re.compile(r"([\w.]+)=", re.ASCII)
VERSION = re.compile(r"; Version: (1\.\d)\s*$", re.MULTILINE)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|;[^\n]*', re.DOTALL)
DECODER = json.JSONDecoder()


def assemble(source: Source) -> tuple[VbcFile, SubpassForm, OlderLayout | None]:
    """Return the record of a text, the form of its subpass inputs, and its older layout.

    Raises:
        AssembleError: With all errors that were found.
    """
    checked_heading(source, ";", EXACT)
    errors = ErrorList()
    pieces = _pieces(source)
    data: dict[str, Any] = {
        "version": 1, "type": 1, "tables": {}, "uniform": {"size": 0}, **{n: [] for n in LISTS},
    }  # fmt: skip
    first = min((start for _, start, _ in pieces), default=len(source.lines) + 1)
    for number in range(1, first):
        with errors:
            _read_line(source, number, data)
    for name, start, end in pieces:
        with errors:
            if name in data:
                raise source.error(f"stage {name} appears twice", start)
            if name not in NAMES:
                hint = did_you_mean(name, NAMES) or f"; expected one of {', '.join(NAMES)}"
                raise source.error(f"unknown stage {name!r:.40}{hint}", start, len(STAGE) + 1)
            data[name] = _module(source, start, end).hex()
    errors.check()
    return _record(source, data)


def _pieces(source: Source) -> list[tuple[str, int, int]]:
    """Return (name, line of the stage, line after its last) of each module."""
    starts = []
    line, at = 1, 0
    for found in TOKEN.finditer(source.text):
        line += source.text.count("\n", at, found.start())
        at = found.start()
        head = source.text.rfind("\n", 0, at) + 1
        if at == head and found[0].startswith(STAGE):
            starts.append((found[0][len(STAGE) :].strip(), line))
    ends = [start for _, start in starts[1:]] + [len(source.lines) + 1]
    return [(name, start, end) for (name, start), end in zip(starts, ends, strict=False)]


def _read_line(source: Source, number: int, data: dict[str, Any]) -> None:
    """Read a line of the reflection."""
    line = source.lines[number - 1]
    found = PATH.match(line)
    if found is None:
        if line.strip() and not line.lstrip().startswith(";"):
            raise source.error("expected a comment, or a line '; stage vert' before code", number)
        return
    path, index = found[1], found[2]
    fields = _fields(source, number, found.end())
    if (index is not None) != (path in ROWS):
        problem = f"expected {path}[0]" if path in ROWS else f"expected {path} without a number"
        raise source.error(problem, number, 3, len(path))
    if index is None:
        {HEAD: data}.get(path, data.get(path, {})).update(fields)
        return
    holder = data["uniform"].setdefault("members", []) if "." in path else data[path]
    if int(index) != len(holder):
        problem = f"expected {path}[{len(holder)}], got {path}[{int(index)}]"
        raise source.error(problem, number, 3, len(path) + len(index) + 2)
    holder.append(fields)


def _fields(source: Source, number: int, at: int) -> dict[str, Any]:
    """Return the fields of a line from column `at` on, counted from 0."""
    line = source.lines[number - 1]
    found: dict[str, Any] = {}
    while line[at:].strip():
        at += len(line[at:]) - len(line[at:].lstrip())
        key = FIELD.match(line, at)
        if key is None:
            raise source.error("expected a field, such as rows=4", number, at + 1)
        at = key.end()
        word = PLAIN_WORD.match(line, at)
        if word is not None:
            value: Any = word[0]
            at = word.end()
        else:
            try:
                value, at = DECODER.raw_decode(line, at)
            except (ValueError, RecursionError):
                raise source.error("expected a word, a number or JSON", number, at + 1) from None
        outer, _, inner = key[1].rpartition(".")
        holder = found.setdefault(outer, {}) if outer else found
        if not isinstance(holder, dict) or inner in holder:
            raise source.error(f"field {key[1]} appears twice", number, key.start() + 1)
        holder[inner] = value
    return found


def _module(source: Source, start: int, end: int) -> bytes:
    """Return the module of the lines from `start` + 1 to `end` - 1."""
    lines = source.lines[start : end - 1]
    if any(line.startswith(BYTES) for line in lines):
        made = b""
        for number, line in enumerate(lines, start + 1):
            if line.strip():
                try:
                    made += bytes.fromhex(line.removeprefix(BYTES))
                except ValueError:
                    problem = "expected the bytes of the module in hexadecimal"
                    raise source.error(problem, number) from None
        return made
    text = "\n".join(lines)
    if end <= len(source.lines):
        text += "\n"
    version = VERSION.search(text)
    try:
        return read_module(text, source.name, version[1] if version else None).encode()
    except AssembleError as error:
        for each in error.errors:
            each.line += start
        raise


def _record(
    source: Source, data: dict[str, Any]
) -> tuple[VbcFile, SubpassForm, OlderLayout | None]:
    try:
        return from_fields(data)
    except FormatError as error:
        raise source.error(f"{error.path}: {error.problem}", _line_of(source, error)) from None


def _line_of(source: Source, error: UnshadeError) -> int:
    """Return the line of the record that an error is about, else 1."""
    path = getattr(error, "path", "").removeprefix(f"{HEAD}.")
    for number, line in enumerate(source.lines, 1):
        found = PATH.match(line)
        if found is not None and found[2] is not None:
            if path.startswith(f"{found[1]}[{found[2]}]"):
                return number
        elif found is not None and path.startswith(found[1]) and "members" not in path:
            return number
    return 1
