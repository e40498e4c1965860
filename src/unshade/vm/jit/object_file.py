"""Object files of LLVM, loaded without it.

    header      64 bytes: kind of file, place and number of the section headers
    sections    .ltext .rodata .rodata.cst4 .lrodata …     in one mapping, each at its alignment
    .rela…      places to fill in: symbol + addend (64 bits), or that less the place (32 bits)
    .symtab     symbols: section and offset

    jumps       to functions of the C library, which may be far away

LLVM's own loader takes 2 ms for a file, this loader a fifth of a millisecond. A kernel's code
refers to its constants and to `FUNCTIONS`, so few kinds of files occur: relocatable ELF for x86-64
without writable data. All others are left to LLVM.

The mapping is written first and then made executable, never both at once. (System V ABI, AMD64
supplement, chapter 4.)
"""

import ctypes
import mmap
import platform
import struct
import sys
from functools import cache
from typing import Any

KNOWN = sys.platform == "linux" and platform.machine() == "x86_64"
HEADER = struct.Struct("<4sBB10xHH20xQ10xHH")
START = b"\x7fELF", 2, 1, 1, 62  # 64 bits, little-endian, relocatable, x86-64
SECTION = struct.Struct("<II4Q2I2Q")
SYMBOL = struct.Struct("<IBBHQQ")
RELOCATION = struct.Struct("<QIIq")
PROGBITS, SYMTAB, RELA, UNWIND = 1, 2, 4, 0x7000_0001
WRITABLE, ALLOCATED, TLS = 1, 2, 0x400
ABSOLUTE_64, RELATIVE_32, CALL_32 = 1, 2, 4
UNDEFINED = 0
RELATIVE = frozenset({RELATIVE_32, CALL_32})
FUNCTIONS = frozenset({b"memset", b"memcpy", b"memmove", b"fmod", b"fmodf"})
JUMP = struct.Struct("<8sq")  # jmp *2(%rip); address
JUMP_CODE = bytes.fromhex("ff25 0200 0000 cccc")
MAX_SIZE = 1 << 28  # bytes


class LoadedObject:
    """An object file in memory; the code is valid as long as this object."""

    __slots__ = ("_memory", "address")

    def __init__(self, memory: mmap.mmap, address: int) -> None:
        self._memory = memory
        self.address = address


@cache
def usable() -> bool:
    """Return whether files for this machine are of a known kind, and memory may be executable."""
    if not KNOWN:
        return False
    try:
        memory = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        _make_executable(memory)
    except OSError:
        return False
    return True


def load_object_file(data: bytes, symbol: str) -> LoadedObject | None:
    """Load a file; return None if that is impossible.

    Args:
        data: The object file, which is trusted: position-independent code.
        symbol: The function whose address is wanted.
    """
    try:
        return _loaded(data, symbol.encode())
    except (struct.error, ValueError, LookupError, AttributeError, OSError):
        return None


def _make_executable(memory: mmap.mmap) -> None:
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if _library().mprotect(address, len(memory), mmap.PROT_READ | mmap.PROT_EXEC):
        raise OSError("the memory cannot be made executable")


@cache
def _library() -> ctypes.CDLL:
    """Return the C library of this process."""
    found = ctypes.CDLL(None)
    found.mprotect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    return found


def _loaded(data: bytes, symbol: bytes) -> LoadedObject:
    """Load a file.

    Raises:
        ValueError: The file is of an unknown kind; damaged files may also raise other errors.
    """
    *start, at, size, count = HEADER.unpack_from(data)
    if tuple(start) != START or size != SECTION.size:
        raise ValueError("expected a relocatable file for x86-64")
    sections = [SECTION.unpack_from(data, at + n * size) for n in range(count)]
    places, end = _places(sections)
    end += -end % 8
    symbols, functions = _symbols(data, sections, places, end)
    size = end + JUMP.size * len(functions)
    if size > MAX_SIZE:
        raise ValueError(f"expected at most {MAX_SIZE} bytes, got {size}")
    memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for number, place in places.items():
        _, _, _, _, offset, length, *_ = sections[number]
        memory[place : place + length] = data[offset : offset + length]
    for number, name in enumerate(functions):
        address = ctypes.cast(_library()[name], ctypes.c_void_p).value
        JUMP.pack_into(memory, end + JUMP.size * number, JUMP_CODE, address)
    for _, kind, _, _, offset, length, _, target, *_ in sections:
        if kind == RELA and target in places:
            rows = RELOCATION.iter_unpack(data[offset : offset + length])
            _relocate(memory, base, places[target], rows, [place for _, place in symbols])
    (entry,) = [place for name, place in symbols if name == symbol and place is not None]
    _make_executable(memory)
    return LoadedObject(memory, base + entry)


Sections = list[tuple[int, ...]]
Symbols = list[tuple[bytes, int | None]]


def _places(sections: Sections) -> tuple[dict[int, int], int]:
    """Return the place of each section in the mapping, and its end."""
    places, end = {}, 0
    for number, (_, kind, flags, _, _, length, _, _, align, _) in enumerate(sections):
        if not flags & ALLOCATED or kind == UNWIND:
            continue
        if kind != PROGBITS or flags & (WRITABLE | TLS) or align > mmap.PAGESIZE:
            raise ValueError(f"expected plain data, got a section of kind {kind}, flags {flags}")
        end += -end % max(align, 1)
        places[number] = end
        end += length
    return places, end


def _symbols(
    data: bytes, sections: Sections, places: dict[int, int], end: int
) -> tuple[Symbols, list[str]]:
    """Return name and place of each symbol, and the functions whose jumps follow at `end`."""
    symbols: Symbols = []
    functions: list[str] = []
    for _, kind, _, _, offset, length, link, *_ in sections:
        if kind != SYMTAB:
            continue
        names = sections[link][4]
        for first, _, _, section, value, _ in SYMBOL.iter_unpack(data[offset : offset + length]):
            name = data[names + first : data.index(0, names + first)]
            place = places.get(section)
            if place is not None:
                place += value
            elif section == UNDEFINED and name in FUNCTIONS:
                place = end + JUMP.size * len(functions)
                functions.append(name.decode())
            symbols.append((name, place))
    return symbols, functions


def _relocate(
    memory: mmap.mmap, base: int, start: int, rows: Any, symbols: list[int | None]
) -> None:
    """Fill in the places of a section that begins at `start`."""
    for offset, kind, symbol, addend in rows:
        of, place = symbols[symbol], start + offset
        if of is None:
            raise ValueError("expected a symbol of this file, or a known function")
        if kind == ABSOLUTE_64:
            struct.pack_into("<q", memory, place, base + of + addend)
        elif kind in RELATIVE:
            struct.pack_into("<i", memory, place, of + addend - place)
        else:
            raise ValueError(f"expected a known kind of relocation, got {kind}")
