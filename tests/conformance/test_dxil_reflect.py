"""What reflection says of DXIL is what the tables of `dxc -dumpbin` 1.10 say.

; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; tex                               texture     f32          2d      T0      t0,space2     1
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import unshade
from tests.conformance.test_dxil_text import DXC, pairs
from tests.ratchet import Ratchet
from unshade.model import Resource

RULE = re.compile(r"^; -{30} -{10} -{7} -{11} -{7} -{14} -{6}$")
# A cell that is too wide touches the next one.
ROW = re.compile(
    r"^; (?P<name>.*?) *(?P<type>texture|UAV|cbuffer|sampler) *(?P<format>\S+?) *"
    r"(?P<shape>NA|r/o|r/w(?:\+cnt)?|(?:fbtex)?[1-3]d(?:array)?(?:MS\d*)?|cube(?:array)?|buf|ras)"
    r" +(?:T|U|CB|S)(?P<id>\d+) *(?P<letter>t|u|cb|s)(?P<register>\d+)(?:,space(?P<space>\d+))?"
    r" *(?P<count>unbounded|\d+)$"
)
TYPES = {"t": "texture", "u": "UAV", "b": "cbuffer", "s": "sampler"}
# By what reflection calls them: formats and shapes of dxc.
KINDS = {"structured_buffer": "struct", "raw_buffer": "byte", "acceleration_structure": "i32"}
FORMATS = {"float": "f32", "uint": "u32", "sint": "i32", "unorm": "unorm_f32"}
SHAPES = {"buffer": "buf", "2dms": "2dMS", "2dmsarray": "2darrayMS"}


def rows(text: str) -> Iterator[re.Match[str]]:
    """Iterate over the rows of the table of bindings."""
    lines = iter(text.splitlines())
    if any(RULE.match(line) for line in lines):
        for line in lines:
            if line == ";":
                return
            found = ROW.match(line)
            assert found is not None, line
            yield found


def expected(found: Resource) -> tuple[str, str]:
    """Return format and shape of a resource."""
    if found.register_class in ("b", "s"):
        return "NA", "NA"
    kind = str(found.kind)
    format = KINDS.get(kind) or FORMATS.get(str(found.return_type), "invalid")
    if kind in ("structured_buffer", "raw_buffer"):
        shape = "r/w" if found.writable else "r/o"
        return format, f"{shape}+cnt" if found.counter is not None else shape
    if kind == "acceleration_structure":
        return format, "ras"
    shape = SHAPES.get(str(found.dimension), str(found.dimension))
    return format, f"fbtex{shape}" if kind == "feedback_texture" else shape


def same(row: re.Match[str], found: Resource) -> bool:
    """Return whether a resource is the one of a row."""
    count = "unbounded" if found.count is None else str(found.count)
    return (
        row["name"] == ("" if found.declared else found.name)
        and row["type"] == TYPES[found.register_class]
        and (row["format"], row["shape"]) == expected(found)
        and (row["letter"][-1], int(row["register"])) == (found.register_class, found.register)
        and int(row["space"] or 0) == found.space
        and row["count"] == count
        and int(row["id"]) == found.id
    )


def test_bindings(corpus: Path, ratchet: Ratchet) -> None:
    equal, wrong, listed = 0, [], 0
    for path, text in pairs(corpus, DXC):
        table = list(rows(text))
        found = unshade.open(path).reflect().resources
        listed += len(table)
        if len(table) == len(found) and all(map(same, table, found)):
            equal += 1
        else:
            wrong.append(path.name)
    assert listed
    assert not wrong
    ratchet("dxil/reflect: bindings as in dxc's table", equal, equal + len(wrong))
