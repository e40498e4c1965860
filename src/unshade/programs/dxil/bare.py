"""Programs without a container: bitcode alone, or the data of a DXIL or ILDB part.

    42 43 c0 de 21 0c 00 00 …                     bitcode, as dxc hands it to its optimiser
    de c0 17 0b … offset size …  42 43 c0 de …    the same in LLVM's wrapper
    token size DXIL …            42 43 c0 de …    the data of a part (code.py)

dxc's linker writes the data of ILDB as the file of debug information, and dxc -dumpbin takes all
three. Bitcode alone does not have the header of a part: stage and versions are then those that the
metadata of the module specifies.

The first block of LLVM 3.7 is the module. Later versions begin with a block of identification, and
use other encodings in the module.

Source: DXC dxclib/dxc.cpp (`WritePartToFile`) and dxcdisassembler.cpp; LLVM's public document "LLVM
Bitcode File Format".
"""

from collections.abc import Callable
from typing import TypeVar

from ...errors import FormatError, UnsupportedError
from ...limits import DEFAULT, Limits
from .bitstream import BitBlock, BitRecord, read
from .bitstream.reader import WRAPPER_MAGIC
from .code import HEADER_SIZE, MAGIC, MAGIC_OFFSET, Code
from .model import DxilModule
from .shaderinfo import read_shader

__all__ = ["end_of_part", "read_bitcode", "versions"]

C = TypeVar("C", bound=Code)
STAGES = {
    "ps": 0, "vs": 1, "gs": 2, "hs": 3, "ds": 4, "cs": 5, "lib": 6, "ms": 13, "as": 14,
}  # fmt: skip
MODULE_BLOCK, TRIPLE = 8, 2
TARGET = "dxil"
MODULE_START = 12  # bytes of the magic and of the start of the first block


def read_bitcode(cls: Callable[..., C], data: bytes, limits: Limits = DEFAULT) -> C:
    """Return the program of bitcode alone, with the header that dxc would give it.

    Raises:
        FormatError: The bitcode is not a module of LLVM 3.7 with the metadata of a shader.
        LimitError: The bitcode exceeds a limit.
        UnsupportedError: The module's target is not Direct3D.
    """
    stream = read(data, limits)
    _check_target(stream.blocks)
    made = cls(0, 0, stream, limits)
    try:
        made.version, made.dxil_version = versions(made.read_module())
    except FormatError as error:  # its offset is that in a part
        raise error.within(-min(error.offset, HEADER_SIZE), "") from None
    return made


def _check_target(blocks: list[BitBlock]) -> None:
    module = next((each for each in blocks if each.id == MODULE_BLOCK), None)
    if module is None:
        raise FormatError("expected a module of LLVM, got bitcode without one", path="bitcode")
    for each in module.items:
        if isinstance(each, BitRecord) and each.code == TRIPLE:
            name = bytes(x & 0xFF for x in each.operands).decode("utf-8", "backslashreplace")
            if not name.startswith(TARGET):
                raise UnsupportedError(
                    f"bitcode: expected a module for dxil-ms-dx, got one for {name or 'no target'}"
                )
            return


def versions(module: DxilModule) -> tuple[int, int]:
    """Return version token and DXIL version that the metadata specifies; else FormatError."""
    shader = read_shader(module)
    if shader.shader_model is None or shader.version is None or shader.stage not in STAGES:
        raise FormatError("expected dx.version and dx.shaderModel", path="metadata")
    major, minor = shader.shader_model
    token = STAGES[shader.stage] << 16 | (major & 15) << 4 | minor & 15
    return token, (shader.version[0] & 0xFF) << 8 | shader.version[1] & 0xFF


def end_of_part(data: bytes | memoryview) -> int:
    """Return the size in a program's header; the whole size if that is too small.

    Raises:
        FormatError: The header is malformed.
    """
    if len(data) < HEADER_SIZE or data[8:12] != MAGIC:
        got = bytes(data[8:12]).hex(" ") or "nothing"
        raise FormatError(f"expected {MAGIC!r}, got {got}", offset=8, path="magic")
    words, offset, size = (int.from_bytes(data[at : at + 4], "little") for at in (4, 16, 20))
    least = MAGIC_OFFSET + offset + size
    return 4 * words if least <= 4 * words <= len(data) else len(data)


def end_of_bitcode(data: bytes | memoryview) -> int:
    """Return the size of the bitcode at the start of larger data; all of it if it is malformed.

    In a wrapper the size is declared. A module of LLVM 3.7 is one block, whose length is its third
    word; the bytes after the block belong to the bitcode only if nothing else can.
    """
    if data[:4] == WRAPPER_MAGIC:
        start, size = (int.from_bytes(data[at : at + 4], "little") for at in (8, 12))
        return min(start + size, len(data))
    return min(MODULE_START + 4 * int.from_bytes(data[8:12], "little"), len(data))
