"""Inputs that are as expensive to process as possible for their size, about `size` bytes.

The tests beside this file read small ones and look at counters, benchmarks/bounds.py reads large
ones and looks at the clock.
"""

import struct
from collections.abc import Callable

from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.containers import container, signature
from tests.hostile import big_shbin

WORD = struct.Struct("<I")
VS_5_0 = 0x00010050
RET = 0x0100003E


def words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)


def program(tokens: list[int], version: int = VS_5_0) -> bytes:
    return container([("SHEX", words(version, len(tokens) + 2, *tokens))])


# -- programs ------------------------------------------------------------------------------------


def deep_blocks(size: int) -> bytes:
    """Nested loops: the indentation of a line grows with each."""
    count = max(size - 60, 8) // 8
    return program([0x01000030] * count + [0x01000016] * count + [RET])


def short_instructions(size: int) -> bytes:
    """Instructions of one token."""
    return program([0x0100003A] * max(size // 4, 1) + [RET])  # nop


def unknown_opcodes(size: int) -> bytes:
    """Opcodes that are not in the table."""
    return program([0x010007F0] * max(size // 4, 1))


def nested_indices(size: int) -> bytes:
    """Operands r[r[r[…]]], each as deep as one instruction holds."""
    one = [0x36 | 0x7F << 24, 0x001000F2, 0] + [0x00900001 | 2 << 22] * 123 + [0]
    return program((one[:127]) * max(size // 508, 1))


def long_custom_data(size: int) -> bytes:
    """A constant table."""
    count = max(size // 16, 1) * 4
    return program([0x1835, count + 2, *range(count), RET])


def custom_data_comments(size: int) -> bytes:
    """Many empty custom data blocks."""
    return program([0x0035, 2] * max(size // 8, 1))


def huge_declarations(size: int) -> bytes:
    """Declarations with registers and sizes as large as a dword."""
    one = [
        *(0x02000068, 0xFFFFFFFF),  # dcl_temps
        *(0x04000069, 0xFFFFFFFF, 0xFFFFFFFF, 4),  # dcl_indexableTemp
        *(0x04000059, 0x00208E46, 0xFFFFFFFF, 0xFFFFFFFF),  # dcl_constantbuffer
        *(0x0300005F, 0x001010F2, 0xFFFFFFFF),  # dcl_input
        *(0x04000060, 0x001010F2, 0xFFFFFFFF, 0xFFFFFFFF),  # dcl_input_sgv
        *(0x04001858, 0x00107000, 0xFFFFFFFF, 0x5555),  # dcl_resource
        *(0x0400009F, 0x0011F000, 0xFFFFFFFF, 0xFFFFFFFF),  # dcl_tgsm_raw
        *(0x0400009B, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF),  # dcl_thread_group
    ]
    return program(one * max(size // (4 * len(one)), 1) + [RET], 0x00050050)


def many_registers(size: int) -> bytes:
    """Instructions with different undeclared registers."""
    tokens: list[int] = []
    for i in range(max(size // 20, 1)):
        tokens += [0x05000036, 0x001000F2, i, 0x00100E46, i + 1]
    return program([*tokens, RET])


def many_resources(size: int) -> bytes:
    """Declarations, and an instruction that uses each."""
    declared: list[int] = []
    used: list[int] = []
    for i in range(max(size // 52, 1)):
        declared += [0x04001858, 0x00107000, i, 0x5555]
        used += [0x0700002D, 0x001000F2, 0, 0x00100E46, 0, 0x00107E46, i]
    return program([*declared, *used, RET])


def many_labels(size: int) -> bytes:
    """Subroutines, each calling the next."""
    tokens: list[int] = []
    for i in range(max(size // 28, 1)):
        tokens += [0x0300002C, 0x00112000, i, 0x03000004, 0x00112000, i + 1, RET]
    return program(tokens)


def many_cases(size: int) -> bytes:
    """A switch with many cases."""
    cases: list[int] = []
    for i in range(max(size // 12, 1)):
        cases += [0x03000006, 0x00004001, i]
    return program([0x0300004C, 0x0010000A, 0, *cases, 0x01000017, RET])


# -- resource definitions ------------------------------------------------------------------------


class Region:
    """Bytes that grow at the end; `put` says where."""

    def __init__(self, size: int) -> None:
        self.data = bytearray(size)

    def put(self, data: bytes) -> int:
        at = len(self.data)
        self.data += data
        return at

    def patch(self, at: int, *values: int) -> None:
        struct.pack_into(f"<{len(values)}I", self.data, at, *values)


def type_record(
    members: int = 0, count: int = 0, elements: int = 0, kind: int = 0, name: int = 0
) -> bytes:
    """Return a type record of shader model 5."""
    head = struct.pack("<6HI", kind, 3, 1, 1, elements, count, members)
    return head + words(0, 0, 0, 0, name)


def definition(
    region: Region, variables: int, count: int, bindings: int = 0, bound: int = 0
) -> bytes:
    """RDEF around a table of variables in the region, which begins with 60 zeros."""
    name = region.put(b"n\0\0\0")
    buffer = region.put(words(name, count, variables, 16, 0, 0))
    region.patch(0, 1, buffer, bound, bindings, 0xFFFF0500, 0, name)
    region.patch(28, 0x31314452, 60, 24, 32, 40, 36, 12, 0)
    return bytes(region.data)


def variable(name: int, type_: int, at: int = 0) -> bytes:
    return words(name, at, 4, 2, type_, 0, 0, 0, 0, 0)


def with_program(rdef: bytes, code: bytes = b"") -> bytes:
    """Beside a small program, so that there is a listing to print it in."""
    code = code or words(VS_5_0, 3, RET)
    return container([("RDEF", rdef), ("SHEX", code)])


def doubling_types(size: int) -> bytes:
    """A structure with two members of one type, itself such a structure, and so on.

    However short the file, written out it is two to the power of the depth.
    """
    region = Region(60)
    name = region.put(b"m\0\0\0")
    last = region.put(type_record(name=name))
    for _ in range(min(28, max(size // 60, 1))):
        members = region.put(words(name, last, 0, name, last, 4))
        last = region.put(type_record(members, 2, 0, 5, name))
    table = region.put(variable(name, last))
    return with_program(definition(region, table, 1))


def doubling_bases(size: int) -> bytes:
    """Doubling types through the sub type of each type, which is also its member's."""
    region = Region(60)
    name = region.put(b"m\0\0\0")
    last = region.put(type_record(name=name))
    for _ in range(min(28, max(size // 60, 1))):
        members = region.put(words(name, last, 0))
        head = struct.pack("<6HI", 5, 3, 1, 1, 0, 1, members)
        last = region.put(head + words(last, 0, 0, 0, name))
    table = region.put(variable(name, last))
    return with_program(definition(region, table, 1))


def array_members(size: int) -> bytes:
    """A structure with many arrays of one type: each declaration has its own array type."""
    region = Region(60)
    name = region.put(b"m\0\0\0")
    item = region.put(type_record(elements=2, name=name))
    count = min(max(size // 12, 1), 0xFFFF)
    members = region.put(b"".join(words(name, item, 16 * i) for i in range(count)))
    whole = region.put(type_record(members, count, 0, 5, name))
    table = region.put(variable(name, whole))
    return with_program(definition(region, table, 1))


def one_large_type(size: int) -> bytes:
    """A structure that is half of the file, and variables of its type."""
    region = Region(60)
    name = region.put(b"m\0\0\0")
    item = region.put(type_record(name=name))
    count = min(max(size // 24, 1), 0xFFFF)
    members = region.put(b"".join(words(name, item, 4 * i) for i in range(count)))
    whole = region.put(type_record(members, count, 0, 5, name))
    many = max(size // 80, 1)
    table = region.put(variable(name, whole) * many)
    return with_program(definition(region, table, many))


def many_variables(size: int) -> bytes:
    """Variables of one small type."""
    region = Region(60)
    name = region.put(b"v\0\0\0")
    item = region.put(type_record(name=name))
    count = max(size // 40, 1)
    table = region.put(b"".join(variable(name, item, 4 * i) for i in range(count)))
    return with_program(definition(region, table, count))


def many_bindings(size: int) -> bytes:
    """Bindings, each used by an instruction that a listing has to name."""
    region = Region(60)
    name = region.put(b"t\0\0\0")
    count = max(size // 76, 1)
    rows = b"".join(words(name, 2, 5, 4, 0xFFFFFFFF, i, 1, 0) for i in range(count))
    bindings = region.put(rows)
    tokens: list[int] = []
    for i in range(count):
        tokens += [0x04001858, 0x00107000, i, 0x5555]
        tokens += [0x0700002D, 0x001000F2, 0, 0x00100E46, 0, 0x00107E46, i]
    rdef = definition(region, 0, 0, bindings, count)
    return with_program(rdef, words(VS_5_0, len(tokens) + 3, *tokens, RET))


def huge_bindings(size: int) -> bytes:
    """Bindings of 2^32 - 1 registers each."""
    region = Region(60)
    name = region.put(b"t\0\0\0")
    count = max(size // 32, 1)
    row = words(name, 2, 5, 4, 0xFFFFFFFF, 0, 0xFFFFFFFF, 0)
    bindings = region.put(row * count)
    return with_program(definition(region, 0, 0, bindings, count))


def one_long_name(size: int) -> bytes:
    """Many variables that share one name, half of the file: the listing would be quadratic."""
    region = Region(60)
    name = region.put(b"v" * min(size // 2, 65_000) + b"\0" * 4)
    region.put(b"\0" * (-len(region.data) % 4))
    item = region.put(type_record(name=name))
    count = max(size // 80, 1)
    table = region.put(b"".join(variable(name, item, 4 * i) for i in range(count)))
    return with_program(definition(region, table, count))


# -- signatures and the rest ---------------------------------------------------------------------


def many_rows(size: int) -> bytes:
    """A signature of many registers, and a program that declares them."""
    count = max(size // 36, 1)
    rows = signature(*((f"A{i % 7}", i) for i in range(count)))
    tokens: list[int] = []
    for i in range(count):
        tokens += [0x0300005F, 0x001010F2, i]
    code = words(VS_5_0, len(tokens) + 3, *tokens, RET)
    return container([("ISGN", rows), ("SHEX", code)])


def one_long_semantic(size: int) -> bytes:
    """Rows that share one name, half of the file."""
    name = "S" * min(size // 2, 65_000)
    return container([("ISGN", signature(*((name, i) for i in range(max(size // 48, 1)))))])


def tails_of_a_text(size: int) -> bytes:
    """Rows whose names are suffixes of one string."""
    count = max(size // 48, 1)
    raw = bytearray(signature(("X" * (size // 2), 0)))
    text = bytes(raw[32:])
    start = 8 + 24 * count
    rows = b"".join(words(start + i, 0, 0, 3, i, 0x0F0F) for i in range(count))
    return container([("ISGN", words(count, 8) + rows + text)])


def many_slots(size: int) -> bytes:
    """Interface slots that share one list of classes."""
    count = max(size // 20, 1)
    start = 36
    shared = start + 16 * count
    slots = words(1, min(count, 0xFFFF), shared, shared) * count
    head = words(0, 0, count, count, start, start, start, 0, 0)
    ids = bytes(4 * min(count, 0xFFFF))
    return container([("IFCE", head + slots + ids)])


def many_parts(size: int) -> bytes:
    """As many parts as a container may have, all of one name."""
    return container([("PRIV", b"")] * min(max(size // 12, 1), 4096))


def many_statistics(size: int) -> bytes:
    """As many typed parts as fit."""
    count = min(max(size // 130, 1), 4096)
    return container([("STAT", blog.stat())] * count)


def many_programs(size: int) -> bytes:
    """As many programs as a container may have parts."""
    code = words(VS_5_0, 3, RET)
    return container([("SHEX", code)] * min(max(size // 24, 1), 4096))


def many_ranges(size: int) -> bytes:
    """A root signature whose tables share one list of ranges."""
    count = max(size // 40, 1)
    start = 24
    tables = start + 12 * count
    ranges = tables + 8
    parameters = words(0, 0, tables) * count
    table = words(count, ranges) + words(0, 1, 0, 0, 0xFFFFFFFF) * count
    head = words(1, count, start, 0, 0, 0)
    return container([("RTS0", head + parameters + table)])


INPUTS: dict[str, Callable[[int], bytes]] = {
    function.__name__.replace("_", " "): function
    for function in (
        *(deep_blocks, short_instructions, unknown_opcodes, nested_indices, long_custom_data),
        *(custom_data_comments, huge_declarations, many_registers, many_resources, many_labels),
        *(many_cases, doubling_types, doubling_bases, array_members, one_large_type),
        *(many_variables, many_bindings, huge_bindings, one_long_name, many_rows),
        *(one_long_semantic, tails_of_a_text, many_slots, many_parts, many_statistics),
        *(many_programs, many_ranges),
    )
} | big_shbin.INPUTS
