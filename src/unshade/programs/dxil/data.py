"""Programs as plain data (dictionaries, lists, numbers, strings), without loss.

    {version: {minor: 0, major: 6, kind: COMPUTE}, dxil_version: "1.0",
     bitcode: {blocks: [{block: MODULE_BLOCK, width: 3, items: [
       {record: VERSION, version: 1},
       {block: TYPE_BLOCK, width: 4, items: [
         {define: [8, fixed4, 0]},
         {record: NUMENTRY, count: 20},
         {record: POINTER, abbreviation: 4, pointee: 3, space: 0}, …]},
       {record: TRIPLE, text: dxil-ms-dx}, …]}]}}

Names of blocks, records and operands are defined in `tables/blocks.py`; other records and blocks
are named by their number. Lengths of blocks and other fields that follow from the items are absent;
`irregular` contains those that differ in the file. Bitcode that cannot be read is {bytes: hex}.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

from ...errors import EncodeError, FormatError, LimitError
from ...isa.data import (
    integer_from_data,
    list_from_data,
    mapping_from_data,
    nothing_left,
)
from ...limits import DEFAULT, Limits
from ...vocab.d3d import ShaderKind
from ...wire.data import Plain, hex_from_data, name_of, text_from_data, text_to_data
from .bitstream import (
    UNABBREVIATED,
    Abbreviation,
    AbbreviationDefinition,
    BitBlock,
    BitRecord,
    Bitstream,
    Encoding,
)
from .bitstream.abbreviation import ARRAY, BLOB, CHAR6, FIXED, LITERAL, VBR
from .code import Code
from .tables.blocks import BLOCKS, BlockRow, RecordRow

__all__ = ["bitcode_from_data", "bitcode_to_data", "code_from_data", "code_to_data"]

C = TypeVar("C", bound=Code)
BLOCK_IDS = {row.name: row.id for row in BLOCKS.values()}
RECORD_CODES = {
    row.id: {record.name: record.code for record in row.records.values()} for row in BLOCKS.values()
}
WIDTHS = {"fixed": FIXED, "vbr": VBR}
PLAIN = {"array": ARRAY, "char6": CHAR6, "blob": BLOB}
WORD = 0xFFFF_FFFF


def code_to_data(code: Code, limits: Limits = DEFAULT) -> dict[str, Plain]:
    """Return a program as plain data.

    Raises:
        LimitError: The data contains more values than allowed.
    """
    version = code.version
    found: dict[str, Plain] = {
        "version": {
            "minor": version & 15,
            "major": version >> 4 & 15,
            "kind": name_of(ShaderKind, version >> 16),
        }
    }
    if version >> 8 & 0xFF:
        found["version"]["unnamed"] = version >> 8 & 0xFF
    found["dxil_version"] = _version_to_data(code.dxil_version)
    for name in ("gap", "trailing"):
        if getattr(code, name):
            found[name] = getattr(code, name).hex()
    if code.size is not None:
        found["size"] = code.size
    found["bitcode"] = bitcode_to_data(code, limits)
    return found


def bitcode_to_data(code: Code, limits: Limits = DEFAULT) -> dict[str, Plain]:
    """Return the bitcode of a program as plain data; LimitError if it has too many values."""
    bitcode = code.stream()
    if isinstance(bitcode, bytes):
        return {"bytes": bitcode.hex()}
    return _stream_to_data(bitcode, limits)


def code_from_data(cls: Callable[..., C], data: Plain, path: str = "") -> C:
    """Return the program that plain data describes; FormatError if a value does not fit."""
    where = path or "program"
    fields = mapping_from_data(data, where)
    words = mapping_from_data(fields.pop("version", {}), f"{where}.version")
    version = 0
    for name, low, width in (("minor", 0, 4), ("major", 4, 4), ("unnamed", 8, 8), ("kind", 16, 16)):
        at = f"{where}.version.{name}"
        value = words.pop(name, 0)
        if isinstance(value, str) and value in ShaderKind.__members__:
            value = int(ShaderKind[value])
        version |= _number(value, at, width) << low
    nothing_left(words, f"{where}.version")
    number = _version_from_data(fields.pop("dxil_version", 0x100), f"{where}.dxil_version")
    at = f"{where}.bitcode"
    bitcode = bitcode_from_data(fields.pop("bitcode", {}), at)
    made = cls(version, number, bitcode)
    made.gap = hex_from_data(fields.pop("gap", ""), f"{where}.gap")
    made.trailing = hex_from_data(fields.pop("trailing", ""), f"{where}.trailing")
    if "size" in fields:
        made.size = _number(fields.pop("size"), f"{where}.size", 32)
    nothing_left(fields, where)
    if isinstance(bitcode, bytes):
        made.problem = FormatError("expected bitcode that can be read", path=at)
    return made


def bitcode_from_data(data: Plain, path: str) -> Bitstream | bytes:
    """Return the bitcode that plain data describes, as bytes if it cannot be read."""
    inner = mapping_from_data(data, path)
    if "bytes" not in inner:
        return _stream_from_data(inner, path)
    found = hex_from_data(inner.pop("bytes"), f"{path}.bytes")
    nothing_left(inner, path)
    return found


def _version_to_data(version: int) -> Plain:
    """Return the version of DXIL as text: "1.6"."""
    return f"{version >> 8}.{version & 0xFF}" if version < 1 << 16 else version


def _version_from_data(data: Plain, path: str) -> int:
    if isinstance(data, str):
        major, _, minor = data.partition(".")
        if not (major.isdecimal() and minor.isdecimal()):
            raise FormatError(f"expected a version such as 1.6, got {data!r:.40}", path=path)
        return _number(int(major), path, 8) << 8 | _number(int(minor), path, 8)
    return _number(data, path, 32)


def _number(data: Plain, path: str, width: int = 64) -> int:
    value = integer_from_data(data, path)
    if not 0 <= value < 1 << width:
        raise FormatError(f"expected a number of {width} bits, got {value}", path=path)
    return value


# -- the stream ----------------------------------------------------------------------------------


def _stream_to_data(stream: Bitstream, limits: Limits) -> dict[str, Plain]:
    found: dict[str, Plain] = {}
    if stream.wrapper:
        found["wrapper"] = stream.wrapper.hex()
    budget = [limits.nodes]
    found["blocks"] = [_block_to_data(each, budget, limits) for each in stream.blocks]
    for name in ("trailing", "outside"):
        if getattr(stream, name):
            found[name] = getattr(stream, name).hex()
    return found


def _stream_from_data(data: dict[str, Plain], path: str) -> Bitstream:
    blocks = list_from_data(data.pop("blocks", []), f"{path}.blocks")
    made = Bitstream([
        _block_from_data(each, f"{path}.blocks[{at}]", 0) for at, each in enumerate(blocks)
    ])  # fmt: skip
    for name in ("wrapper", "trailing", "outside"):
        setattr(made, name, hex_from_data(data.pop(name, ""), f"{path}.{name}"))
    nothing_left(data, path)
    return made


def _block_to_data(block: BitBlock, budget: list[int], limits: Limits) -> dict[str, Plain]:
    """Return a block as plain data; the reader bounds the nesting."""
    row = BLOCKS.get(block.id)
    found: dict[str, Plain] = {"block": row.name if row else block.id, "width": block.width}
    if block.irregular:
        found["irregular"] = dict(block.irregular)
    items: list[Plain] = []
    for item in block.items:
        if isinstance(item, BitRecord):
            budget[0] -= 1 + len(item.operands)
            items.append(_record_to_data(item, row))
        elif isinstance(item, BitBlock):
            items.append(_block_to_data(item, budget, limits))
        else:
            budget[0] -= len(item.abbreviation.encodings)
            items.append(_definition_to_data(item))
        if budget[0] < 0:
            raise LimitError("nodes", limits.nodes, "more values")
    found["items"] = items
    return found


def _block_from_data(data: Plain, path: str, depth: int) -> BitBlock:
    if depth >= DEFAULT.depth:
        raise LimitError("depth", DEFAULT.depth, "deeper nesting of blocks")
    fields = mapping_from_data(data, path)
    name = fields.pop("block", None)
    number = BLOCK_IDS.get(name) if isinstance(name, str) else None
    identity = _number(name, f"{path}.block") if number is None else number
    width = _number(fields.pop("width", 3), f"{path}.width", 6)
    if not 2 <= width <= 32:
        raise FormatError(f"expected a width of 2 to 32, got {width}", path=f"{path}.width")
    made = BitBlock(identity, width)
    irregular = mapping_from_data(fields.pop("irregular", {}), f"{path}.irregular")
    if irregular:
        made.irregular = {
            str(key): integer_from_data(each, f"{path}.irregular.{key}")
            for key, each in irregular.items()
        }
    for at, item in enumerate(list_from_data(fields.pop("items", []), f"{path}.items")):
        where = f"{path}.items[{at}]"
        inner = mapping_from_data(item, where)
        if "record" in inner:  # which may have an operand named block
            made.items.append(_record_from_data(inner, identity, where))
        elif "define" in inner:
            made.items.append(_definition_from_data(inner, where))
        else:
            made.items.append(_block_from_data(inner, where, depth + 1))
    nothing_left(fields, path)
    return made


# -- definitions ---------------------------------------------------------------------------------


def _definition_to_data(item: AbbreviationDefinition) -> dict[str, Plain]:
    encodings: list[Plain] = [
        each.value if each.kind == LITERAL else str(each) for each in item.abbreviation.encodings
    ]
    return {"define": encodings} | _irregular_to_data(item.irregular)


def _definition_from_data(data: dict[str, Plain], path: str) -> AbbreviationDefinition:
    encodings = []
    for at, each in enumerate(list_from_data(data.pop("define"), f"{path}.define")):
        encodings.append(_encoding(each, f"{path}.define[{at}]"))
    irregular = _irregular_from_data(data, path)
    nothing_left(data, path)
    try:
        return AbbreviationDefinition(Abbreviation(encodings), irregular)
    except EncodeError as error:
        raise FormatError(error.problem, path=f"{path}.define") from None


def _encoding(data: Plain, path: str) -> Encoding:
    if isinstance(data, str):
        if data in PLAIN:
            return Encoding(PLAIN[data])
        kind = data.rstrip("0123456789")
        if kind in WIDTHS and data[len(kind) :]:
            return Encoding(WIDTHS[kind], int(data[len(kind) :][:4]))
    return Encoding(LITERAL, _number(data, path))


def _irregular_to_data(irregular: Mapping[int, int] | None) -> dict[str, Plain]:
    if not irregular:
        return {}
    return {"irregular": {str(at): count for at, count in irregular.items()}}


def _irregular_from_data(data: dict[str, Plain], path: str) -> dict[int, int] | None:
    at = f"{path}.irregular"
    found = mapping_from_data(data.pop("irregular", {}), at)
    return {_number(key, at, 32): _number(each, at, 12) for key, each in found.items()} or None


# -- records -------------------------------------------------------------------------------------


def _record_to_data(record: BitRecord, block: BlockRow | None) -> dict[str, Plain]:
    row = block.records.get(record.code) if block else None
    found: dict[str, Plain] = {"record": row.name if row else record.code}
    if record.abbreviation != UNABBREVIATED:
        found["abbreviation"] = record.abbreviation
    found |= _irregular_to_data(record.irregular)
    if record.blob is not None:
        found["blob"] = record.blob.hex()
    operands = record.operands
    at = 0
    for name in row.operands if row else ():
        if at >= len(operands):
            break
        if name[-1] in "*$":
            rest = operands[at:]
            is_text = name[-1] == "$" and max(rest) < 256
            text = bytes(rest).decode("utf-8", "surrogateescape") if is_text else ""
            found[name[:-1]] = text_to_data(text) if is_text else rest
            at = len(operands)
        else:
            found[name] = operands[at]
            at += 1
    if at < len(operands):
        found["operands"] = operands[at:]
    return found


def _record_from_data(data: dict[str, Plain], block: int, path: str) -> BitRecord:
    name = data.pop("record", None)
    code = RECORD_CODES.get(block, {}).get(name) if isinstance(name, str) else None
    if code is None:
        code = _number(name, f"{path}.record")
    made = BitRecord(code, [], _number(data.pop("abbreviation", UNABBREVIATED), path, 32))
    made.irregular = _irregular_from_data(data, path)
    if "blob" in data:
        made.blob = hex_from_data(data.pop("blob"), f"{path}.blob")
    row = BLOCKS[block].records.get(code) if block in BLOCKS else None
    made.operands = _operands_from_data(data, row, path)
    nothing_left(data, path)
    return made


def _operands_from_data(data: dict[str, Plain], row: RecordRow | None, path: str) -> list[int]:
    found: list[int] = []
    for name in row.operands if row else ():
        key = name.rstrip("*$")
        if key not in data:
            break
        value = data.pop(key)
        at = f"{path}.{key}"
        if name[-1] == "$" and not isinstance(value, list):
            found += text_from_data(value, at).encode("utf-8", "surrogateescape")
        elif name[-1] in "*$":
            found += _numbers(value, at)
        else:
            found.append(_number(value, at))
    if "operands" in data:
        found += _numbers(data.pop("operands"), f"{path}.operands")
    return found


def _numbers(data: Plain, path: str) -> list[int]:
    return [_number(each, f"{path}[{at}]") for at, each in enumerate(list_from_data(data, path))]
