"""The page about DXIL suffices to read a module: a reader that knows nothing else does."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.examples import EXAMPLES
from unshade.programs.dxil.model import DxilModule
from unshade.programs.dxil.model.values import BasicBlock, DxilValue, MetadataAsValue

PAGE = (REPOSITORY / "docs" / "formats" / "dxil.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^\*\*([A-Z_]+)\*\* \((\d+)\)\n\n((?:\|.*\n)+)", re.M)
ROW = re.compile(r"^\| (\d+) \| (\w+) \| (.*?) ?\|$", re.M)
BLOCKS = {
    name: (int(number), {int(row[1]): (row[2], row[3]) for row in ROW.finditer(table)})
    for name, number, table in BLOCK.findall(PAGE)
}
FILES = sorted(EXAMPLES.glob("*.dxil"))
CHAR6 = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"
LITERAL, FIXED, VBR, ARRAY, CHARACTER, BLOB = range(6)
MASK = 0xFFFF_FFFF


class Record(NamedTuple):
    name: str
    operands: list[int]
    forms: str


class Block(NamedTuple):
    name: str
    items: list["Record | Block"]

    def blocks(self, name: str) -> list["Block"]:
        return [each for each in self.items if isinstance(each, Block) and each.name == name]

    def records(self) -> list[Record]:
        return [each for each in self.items if isinstance(each, Record)]


class Bits:
    """Section "Bitstream" of the page."""

    def __init__(self, data: bytes) -> None:
        assert data[:4] == bytes.fromhex("4243c0de")
        self.number, self.at = int.from_bytes(data, "little"), 32
        self.standard: dict[int, list[list[tuple[int, int]]]] = {}

    def fixed(self, width: int) -> int:
        found = self.number >> self.at & (1 << width) - 1
        self.at += width
        return found

    def vbr(self, width: int) -> int:
        value = shift = 0
        while True:
            chunk = self.fixed(width)
            value |= (chunk & (1 << width - 1) - 1) << shift
            shift += width - 1
            if not chunk >> width - 1:
                return value

    def align(self) -> None:
        self.at += -self.at % 32

    def module(self) -> Block:
        assert self.fixed(2) == 1
        return self.block()

    def block(self) -> Block:
        number, width = self.vbr(8), self.vbr(4)
        self.align()
        length = self.fixed(32)
        end = self.at + 32 * length
        name, rows = next((name, rows) for name, (each, rows) in BLOCKS.items() if each == number)
        known = list(self.standard.get(number, []))
        target, items = known, list["Record | Block"]()
        while identity := self.fixed(width):
            if identity == 1:
                items.append(self.block())
                continue
            if identity == 2:
                target.append(self.encodings())
                continue
            if identity == 3:
                code = self.vbr(6)
                operands = [self.vbr(6) for _ in range(self.vbr(6))]
            else:
                code, *operands = self.abbreviated(known[identity - 4])
            items.append(Record(rows[code][0], operands, rows[code][1]))
            if rows[code][0] == "SETBID":
                target = self.standard.setdefault(operands[0], [])
        self.align()
        assert self.at == end
        return Block(name, items)

    def encodings(self) -> list[tuple[int, int]]:
        found = []
        for _ in range(self.vbr(5)):
            if self.fixed(1):
                found.append((LITERAL, self.vbr(8)))
            else:
                kind = self.fixed(3)
                found.append((kind, self.vbr(5) if kind in (FIXED, VBR) else 0))
        return found

    def abbreviated(self, encodings: list[tuple[int, int]]) -> Iterator[int]:
        for at, (kind, width) in enumerate(encodings):
            if kind == ARRAY:
                for _ in range(self.vbr(6)):
                    yield self.scalar(*encodings[at + 1])
                return
            assert kind != BLOB
            yield self.scalar(kind, width)

    def scalar(self, kind: int, width: int) -> int:
        if kind == LITERAL:
            return width
        if kind == CHARACTER:
            return CHAR6[self.fixed(6)]
        return self.fixed(width) if kind == FIXED else self.vbr(width)


class Reader:
    """Sections "Blocks and records" of the page: `functions` has what `numbers_of` returns."""

    def __init__(self, data: bytes) -> None:
        self.module = Bits(data).module()
        self.types = [
            each
            for each in self.module.blocks("TYPE_BLOCK")[0].records()
            if each.name not in ("NUMENTRY", "STRUCT_NAME")
        ]
        records = self.module.records()
        self.globals = [each for each in records if each.name in ("GLOBALVAR", "FUNCTION", "ALIAS")]
        defined = [each for each in records if each.name == "FUNCTION" and not each.operands[2]]
        first = len(self.globals) + self.constants(self.module)
        self.functions = [
            self.body(block, first + self.parameters(each.operands[0]))
            for block, each in zip(self.module.blocks("FUNCTION_BLOCK"), defined, strict=True)
        ]

    @staticmethod
    def constants(block: Block) -> int:
        inner = block.blocks("CONSTANTS_BLOCK")
        return sum(each.name != "SETTYPE" for one in inner for each in one.records())

    def parameters(self, number: int) -> int:
        return len(self.types[number].operands) - 2

    def body(self, block: Block, first: int) -> list[tuple[int | None, list[int]]]:
        """Return the number and the values of each instruction."""
        self.next = first + self.constants(block)
        found = []
        for record in block.records():
            if record.name in ("DECLAREBLOCKS", "DEBUG_LOC", "DEBUG_LOC_AGAIN"):
                continue
            self.left = list(record.operands)
            self.void = record.name in (
                "INST_RET", "INST_BR", "INST_SWITCH", "INST_UNREACHABLE", "INST_STORE",
                "INST_STOREATOMIC", "INST_FENCE",
            )  # fmt: skip
            values = list(self.values(record))
            assert not self.left
            found.append((None if self.void else self.next, values))
            self.next += not self.void
        return found

    def same(self) -> int:
        return self.next - self.left.pop(0) & MASK

    def pair(self) -> int:
        value = self.same()
        if value >= self.next:
            self.left.pop(0)
        return value

    def values(self, record: Record) -> Iterator[int]:
        match record.name:
            case "INST_RET":
                if self.left:
                    yield self.pair()
            case "INST_BR":
                del self.left[: 2 if len(self.left) > 1 else 1]
                if self.left:
                    yield self.same()
            case "INST_SWITCH":
                del self.left[0]
                yield self.same()
                del self.left[0]
                while self.left:
                    yield self.left.pop(0)
                    del self.left[0]
            case "INST_PHI":
                del self.left[0]
                while self.left:
                    signed = self.left.pop(0)
                    yield self.next - (-(signed >> 1) if signed & 1 else signed >> 1)
                    del self.left[0]
            case "INST_ALLOCA":
                yield self.left[2]
                self.left.clear()
            case "INST_EXTRACTVAL":
                yield self.pair()
                self.left.clear()
            case "INST_INSERTVAL":
                yield self.pair()
                yield self.pair()
                self.left.clear()
            case "INST_GEP":
                del self.left[:2]
                while self.left:
                    yield self.pair()
            case "INST_CALL":
                yield from self.call()
            case _:
                yield from self.fixed(record.forms)

    def call(self) -> Iterator[int]:
        assert self.left[1] >> 15 & 1
        del self.left[:2]
        function = self.types[self.left.pop(0)]
        _, result, *parameters = function.operands
        self.void = self.types[result].name == "VOID"
        callee = self.pair()
        yield callee
        for each in parameters:
            if self.types[each].name in ("METADATA", "LABEL"):
                del self.left[0]
            else:
                yield self.same()

    def fixed(self, forms: str) -> Iterator[int]:
        for form in forms.split(", ") if forms else ():
            if form.endswith(" pair"):
                yield self.pair()
            elif form.endswith(" same"):
                yield self.same()
            elif not form.endswith("?") or self.left:
                del self.left[0]


def expected(module: DxilModule) -> list[list[tuple[int | None, list[int]]]]:
    """Return what Reader ought to find."""
    fixed: list[DxilValue] = [*module.globals, *module.constants]
    found = []
    for function in module.functions:
        if function.is_declaration:
            continue
        results = [each for each in function.instructions if not each.type.is_void]
        values = [*fixed, *function.arguments, *function.constants, *results]
        numbers = {id(each): at for at, each in enumerate(values)}
        found.append([
            (
                numbers.get(id(each)),
                [
                    numbers[id(one)]
                    for one in each.operands
                    if not isinstance(one, BasicBlock | MetadataAsValue)
                ],
            )
            for each in function.instructions
        ])  # fmt: skip
    return found


def compare(data: bytes) -> int:
    """Compare the numbers of all values of all functions; return how many there are."""
    shader = unshade.loads(data)
    code = shader["DXIL"]
    read = Reader(code.bitcode_bytes()).functions
    assert [sorted_values(each) for each in read] == [
        sorted_values(each) for each in expected(code.module)
    ]
    return sum(map(len, read))


def sorted_values(body: list[tuple[int | None, list[int]]]) -> list[tuple[int | None, list[int]]]:
    """Return a body with the values of each instruction in order, which LLVM's classes change."""
    return [(number, sorted(values)) for number, values in body]


@pytest.mark.parametrize("path", FILES, ids=[each.stem for each in FILES])
def test_reading_by_the_page_alone(path: Path) -> None:
    assert compare(path.read_bytes()) > 10
