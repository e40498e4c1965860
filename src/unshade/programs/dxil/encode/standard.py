"""Abbreviations as LLVM's writer chooses them.

    BLOCKINFO   VALUE_SYMTAB  8-bit, 7-bit, char6 names; char6 names of blocks
                CONSTANTS     SETTYPE, INTEGER, CE_CAST, NULL
                FUNCTION      LOAD, BINOP, BINOP with flags, CAST, RET, RET value, UNREACHABLE, GEP
    TYPES       POINTER, FUNCTION, STRUCT_ANON, STRUCT_NAME, STRUCT_NAMED, ARRAY
    MODULE      GLOBALVAR
    CONSTANTS   of the module: AGGREGATE, STRING, CSTRING of 7 bits, of char6
    METADATA    of the module: STRING, DILocation, GenericDINode, NAME, as far as there are any

With them, and with numbers in LLVM's order (`enumeration.py`), a module is encoded to the bits that
dxc writes, from the model alone.

Source: public LLVM 3.7 (BitcodeWriter.cpp); checked on modules of dxc.
"""

from collections.abc import Iterable

from ..bitstream import Abbreviation, AbbreviationDefinition, BitBlock, BitRecord, Encoding
from ..bitstream.abbreviation import ARRAY, CHAR6, FIXED, LITERAL, VBR, fits_char6
from ..bitstream.items import BLOCKINFO, SETBID, UNABBREVIATED, Item
from ..model.module import DxilModule
from ..tables.blocks import CONSTANTS, FUNCTION, METADATA, MODULE, SYMBOLS, TYPES
from .module import encode_module

__all__ = ["encode_standard"]

FIRST = 4  # id of the first abbreviation of a block


def encode_standard(module: DxilModule) -> BitBlock:
    """Return the block of a module as LLVM's writer makes it, ignoring its old encoding."""
    return _Standard(module).run(encode_module(module, is_fresh=True))


def _abbreviation(text: str) -> AbbreviationDefinition:
    """Return an abbreviation in short: `4 f1 v6 a c`, that is a literal, widths, array of char6."""
    kinds = {"f": FIXED, "v": VBR}
    found = []
    for word in text.split():
        if word in "ac":
            found.append(Encoding(ARRAY if word == "a" else CHAR6))
        elif word[0] in kinds:
            found.append(Encoding(kinds[word[0]], int(word[1:])))
        else:
            found.append(Encoding(LITERAL, int(word)))
    return AbbreviationDefinition(Abbreviation(found))


class _Standard:
    """A layout of one module; `bits` is the width of a type's number."""

    def __init__(self, module: DxilModule) -> None:
        self.module = module
        self.bits = len(module.types.rows).bit_length()

    def run(self, block: BitBlock) -> BitBlock:
        """Return the block of the module with abbreviations."""
        self.bits = len(self.module.types.rows).bit_length()  # encoding may have added some
        items: list[Item] = []
        defined = False
        for item in block.items:
            if isinstance(item, BitBlock):
                items.append(self.inner(item, is_global=True))
                continue
            assert isinstance(item, BitRecord)
            if item.code in (7, 8, 9) and not defined:
                defined = True
                if self.module.variables:
                    items.append(self.variable())
            plain = item.code != 7 or len(item.operands) > 6
            items.append(_record(item, UNABBREVIATED if plain else FIRST))
            if item.code == 1:
                items.append(self.info())
        return BitBlock(MODULE, block.width, items)

    def info(self) -> BitBlock:
        """Return the abbreviations that blocks of an id have in common."""
        bits = self.bits
        groups = {
            SYMBOLS: ("f3 v8 a f8", "1 v8 a f7", "1 v8 a c", "2 v8 a c"),
            CONSTANTS: (f"1 f{bits}", "4 v8", f"11 f4 f{bits} v8", "2"),
            FUNCTION: (
                f"20 v6 f{bits} v4 f1",
                "2 v6 v6 f4",
                "2 v6 v6 f4 f7",
                f"3 v6 f{bits} f4",
                "10",
                "10 v6",
                "15",
                f"43 f1 f{bits} a v6",
            ),
        }
        items: list[Item] = []
        for block, rows in groups.items():
            items.append(BitRecord(SETBID, [block]))
            items += map(_abbreviation, rows)
        return BitBlock(BLOCKINFO, 2, items)

    def variable(self) -> AbbreviationDefinition:
        """Return the abbreviation of variables with default properties."""
        module = self.module
        numbers = {type: number for number, type in enumerate(module.types.rows)}
        most = max(numbers[each.value_type] for each in module.variables)
        alignments = [each.alignment.bit_length() for each in module.variables]
        alignments += [each.alignment.bit_length() for each in module.functions]
        alignment, sections = max(alignments).bit_length(), len(module.sections).bit_length()
        last = [f"f{each}" if each else "0" for each in (alignment, sections)]
        return _abbreviation(f"7 f{most.bit_length()} v6 v6 f5 {' '.join(last)}")

    def inner(self, block: BitBlock, is_global: bool) -> BitBlock:
        """Return a block inside the module or a function with abbreviations."""
        items: list[Item] = []
        choose = _plain
        if block.id == TYPES:
            items += self.types()
            choose = _type
        elif block.id == CONSTANTS:
            if is_global:
                items += self.constants()
            choose = _global_constant if is_global else _constant
        elif block.id == METADATA and is_global:
            definitions, ids = _metadata(block.records)
            items += definitions

            def choose(record: BitRecord) -> int:
                return ids.get(record.code, UNABBREVIATED)

        elif block.id == SYMBOLS:
            choose = _symbol
        elif block.id == FUNCTION:
            choose = _instruction
        for item in block.items:
            if isinstance(item, BitBlock):
                items.append(self.inner(item, is_global=False))
            else:
                assert isinstance(item, BitRecord)
                items.append(_record(item, choose(item)))
        return BitBlock(block.id, block.width, items)

    def types(self) -> Iterable[AbbreviationDefinition]:
        bits = self.bits
        rows = (f"8 f{bits} 0", f"21 f1 a f{bits}", f"18 f1 a f{bits}", "19 a c")
        return map(_abbreviation, (*rows, f"20 f1 a f{bits}", f"11 v8 f{bits}"))

    def constants(self) -> Iterable[AbbreviationDefinition]:
        module = self.module
        count = len(module.globals) + len(module.constants)
        rows = (f"7 a f{count.bit_length()}", "8 a f8", "9 a f7", "9 a c")
        return map(_abbreviation, rows)


def _record(record: BitRecord, abbreviation: int) -> BitRecord:
    return BitRecord(record.code, record.operands, abbreviation)


def _plain(record: BitRecord) -> int:
    return UNABBREVIATED


def _is_char6(operands: list[int]) -> bool:
    return max(operands, default=0) < 128 and fits_char6(bytes(operands))


def _type(record: BitRecord) -> int:
    """Return the abbreviation of a type: pointers outside of address space 0 have none."""
    code, operands = record.code, record.operands
    if (code == 8 and operands[1]) or (code == 19 and not _is_char6(operands)):
        return UNABBREVIATED
    ids = {8: 4, 21: 5, 18: 6, 19: 7, 20: 8, 11: 9}
    return ids.get(code, UNABBREVIATED)


def _constant(record: BitRecord) -> int:
    """Return the abbreviation of a constant of a function; LLVM uses none for NULL."""
    return {1: 4, 4: 5, 11: 6}.get(record.code, UNABBREVIATED)


def _global_constant(record: BitRecord) -> int:
    """Return the abbreviation of a constant of the module."""
    code, operands = record.code, record.operands
    if code == 7:
        return 8
    if code == 8:
        return 9
    if code == 9:
        return 11 if _is_char6(operands) else 10 if max(operands) < 128 else UNABBREVIATED
    return _constant(record)


def _metadata(records: Iterable[BitRecord]) -> tuple[list[AbbreviationDefinition], dict[int, int]]:
    """Return the abbreviations of existing metadata, and their ids by code."""
    present = {each.code for each in records}
    rows = ((1, "1 a f8"), (7, "7 f1 v6 v8 v6 v6"), (12, "12 f1 v6 f1 v6 a v6"), (4, "4 a f8"))
    found = [(code, text) for code, text in rows if code in present]
    ids = {code: FIRST + number for number, (code, _) in enumerate(found)}
    return [_abbreviation(text) for _, text in found], ids


def _symbol(record: BitRecord) -> int:
    """Return the abbreviation of a name."""
    characters = record.operands[1:]
    if record.code == 2:
        return 7 if _is_char6(characters) else 4
    return 6 if _is_char6(characters) else 5 if max(characters) < 128 else 4


def _instruction(record: BitRecord) -> int:
    """Return the abbreviation of an instruction; none if an operand is defined later."""
    code, operands = record.code, record.operands
    count = len(operands)
    if code == 20 and count == 4:
        return 4
    if code == 2:
        # If the first operand comes later, its type follows: the distance is 0 or wraps around.
        comes_later = not 0 < operands[0] < 1 << 31
        return UNABBREVIATED if comes_later else count + 2
    if code == 3 and count == 3:
        return 7
    if code == 10 and count < 2:
        return 8 + count
    return {15: 10, 43: 11}.get(code, UNABBREVIATED)
