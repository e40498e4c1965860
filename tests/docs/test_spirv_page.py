"""The page about SPIR-V suffices to read a module: a reader that knows nothing else does."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.corpus import REPOSITORY
from tests.examples import EXAMPLES
from tests.programs.spirv.modules import DEBUGGED
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.context import Context
from unshade.programs.spirv.module import Module
from unshade.programs.spirv.operands import decode
from unshade.programs.spirv.tables.grammar import grammar

PAGE = (REPOSITORY / "docs" / "formats" / "spirv.md").read_text(encoding="utf-8")
MODULES = sorted(EXAMPLES.glob("*.spv"))

OPERAND = re.compile(r"`(\w+)([?*]?)`")
ROW = re.compile(r"^\| (\d+) \| `(\w+)` \| (.*) \| (?:yes|no:.*|in part.*) \|$", re.M)
KIND = re.compile(r"^\*\*(\w+)\*\*(, a mask)?: (.*)\.$", re.M)
VALUE = re.compile(r"(0x[0-9a-f]+|\d+) `(\w+)`(?: \(((?:[^()`]|`[^`]*`)*)\))?")
CORE = PAGE.partition("## Extended instruction sets")[0]

Operands = list[tuple[str, str]]


def operands(text: str) -> Operands:
    return OPERAND.findall(text)


INSTRUCTIONS = {int(row[1]): operands(row[3]) for row in ROW.finditer(CORE)}
NAMES = {row[2]: int(row[1]) for row in ROW.finditer(CORE)}
ENUMERATIONS = {
    kind[1]: (
        bool(kind[2]),
        {int(each[1], 0): operands(each[3] or "") for each in VALUE.finditer(kind[3])},
    )
    for kind in KIND.finditer(CORE)
}
SETS = {
    found[1]: {int(each[1]): operands(each[3] or "") for each in VALUE.finditer(found[2])}
    for found in re.finditer(r"^\*\*([\w.]+)\*\*: (0x\d+|\d+ .*)\.$", PAGE, re.M)
}
PAIRS = {
    "PairLiteralIntegerIdRef": 2,
    "PairIdRefLiteralInteger": 2,
    "PairIdRefIdRef": 2,
}


class Reader:
    """A reader of one module: `instructions` are opcodes, with the words of each operand."""

    def __init__(self, data: bytes) -> None:
        self.words = struct.unpack(f"<{len(data) // 4}I", data)
        self.widths: dict[int, int] = {}  # of types
        self.types: dict[int, int] = {}  # of results
        self.sets: dict[int, str] = {}

    def instructions(self) -> Iterator[tuple[int, list[int]]]:
        at = 5
        while at < len(self.words):
            count, code = self.words[at] >> 16, self.words[at] & 0xFFFF
            yield code, list(self.one(code, list(self.words[at + 1 : at + count])))
            at += count

    def one(self, code: int, words: list[int]) -> Iterator[int]:
        """Iterate over the numbers of words of the operands."""
        if code in (NAMES["TypeInt"], NAMES["TypeFloat"]):
            self.widths[words[0]] = words[1]
        if code == NAMES["ExtInstImport"]:
            raw = struct.pack(f"<{len(words) - 1}I", *words[1:])
            self.sets[words[0]] = raw.partition(b"\0")[0].decode()
        kinds = [kind for kind, _ in INSTRUCTIONS[code]]
        if kinds[:2] == ["IdResultType", "IdResult"]:
            self.types[words[1]] = words[0]
        left = list(words)
        yield from self.rules(INSTRUCTIONS[code], left, code, words)
        assert not left

    def rules(self, rules: Operands, left: list[int], code: int, words: list[int]) -> Iterator[int]:
        for kind, quantifier in rules:
            while left:
                yield from self.operand(kind, left, code, words)
                if quantifier != "*":
                    break
            else:
                assert quantifier

    def operand(self, kind: str, left: list[int], code: int, words: list[int]) -> Iterator[int]:
        """Take an operand, and what follows it."""
        if kind == "LiteralString":
            count = next(at for at, word in enumerate(left, 1) if not word >> 24)
        elif kind == "LiteralContextDependentNumber":
            count = self.widths[words[0]] // 33 + 1
        elif kind == "PairLiteralIntegerIdRef" and code == NAMES["Switch"]:
            yield from self.take(self.widths[self.types[words[0]]] // 33 + 1, left)
            count = 1
        elif kind in PAIRS:
            yield from self.take(1, left)
            count = 1
        else:
            count = 1
        value = left[0]
        yield from self.take(count, left)
        if kind == "LiteralExtInstInteger":
            inner = SETS[self.sets[words[2]]][value]
            if self.sets[words[2]].startswith("NonSemantic."):
                inner = [("IdRef", quantifier) for _, quantifier in inner]
            yield from self.rules(inner, left, code, words)
        elif kind == "LiteralSpecConstantOpInteger":
            inner = [each for each in INSTRUCTIONS[value] if not each[0].startswith("IdResult")]
            yield from self.rules(inner, left, code, words)
        elif kind in ENUMERATIONS:
            is_mask, values = ENUMERATIONS[kind]
            bits = [1 << at for at in range(32) if value >> at & 1] if is_mask else [value]
            for bit in bits:
                yield from self.rules(values[bit], left, code, words)

    @staticmethod
    def take(count: int, left: list[int]) -> Iterator[int]:
        assert len(left) >= count
        del left[:count]
        yield count


@pytest.mark.parametrize("path", MODULES, ids=[each.stem for each in MODULES])
def test_reading_by_the_page_alone(path: Path) -> None:
    compare(path.read_bytes())


def test_reading_debug_information_by_the_page_alone() -> None:
    compare(assemble(Source(DEBUGGED.read_text(encoding="utf-8"))).to_bytes())


def compare(data: bytes) -> None:
    """Compare the words of every operand with those that the library finds."""
    context, expected = Context(), []
    for words in Module.loads(data).words():
        decoded = decode(words, context, grammar())
        context.add(words, decoded.result_type, decoded.result)
        expected.append((words[0] & 0xFFFF, [len(each.words) for each in decoded.operands]))
    assert list(Reader(data).instructions()) == expected
    assert expected
