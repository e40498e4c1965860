"""The module around the code of a generated shader: types, resources, handles and metadata."""

from __future__ import annotations

import random
import struct
from typing import NamedTuple

from .support import LAYOUT, TYPES, declarations

__all__ = ["ARRAY", "SHARED", "Frame", "buffers", "module"]

ARRAY = 5  # elements of the array of a thread
SHARED = {"g": 64, "acc": 4}  # words of the memory of a group
MORE_TYPES = """
%dx.types.ResRet.i64 = type { i64, i64, i64, i64, i32 }
%dx.types.ResRet.f64 = type { double, double, double, double, i32 }
%dx.types.ResRet.i16 = type { i16, i16, i16, i16, i32 }
%dx.types.ResRet.f16 = type { half, half, half, half, i32 }
%dx.types.CBufRet.i32 = type { i32, i32, i32, i32 }
%dx.types.CBufRet.f32 = type { float, float, float, float }
%dx.types.CBufRet.i64 = type { i64, i64 }
%dx.types.CBufRet.f64 = type { double, double }
%dx.types.ResBind = type { i32, i32, i32, i8 }
%dx.types.ResourceProperties = type { i32, i32 }
"""
GLOBALS = """
@g = internal addrspace(3) global [64 x i32] zeroinitializer, align 4
@acc = internal addrspace(3) global [4 x i32] zeroinitializer, align 4
@tab = internal unnamed_addr constant [8 x float] [float 1.0, float -2.5, float 0.0, float 1000.0, \
float 0x7FF0000000000000, float 0.125, float -0.0, float 3.0], align 4
"""
TAB = struct.pack("<8f", 1.0, -2.5, 0.0, 1000.0, float("inf"), 0.125, -0.0, 3.0)
TEXTURE_2D, TYPED, RAW, STRUCTURED, CBUFFER = 2, 10, 11, 12, 13
I32, U32, F32 = 4, 5, 9  # component types


class Range(NamedTuple):
    """A resource: its name, class (0 read, 1 written, 2 constants), register and kind."""

    name: str
    group: int
    register: int
    kind: int
    tag: tuple[int, int] | None = None  # of its extended properties
    properties: int = 0  # the second number of annotateHandle


RANGES = (
    Range("t0", 0, 0, RAW),
    Range("t1", 0, 1, STRUCTURED, (1, 16), 16),
    Range("t2", 0, 2, TEXTURE_2D, (0, U32), U32 | 4 << 8),
    Range("t3", 0, 3, TYPED, (0, F32), F32 | 4 << 8),
    Range("u0", 1, 0, RAW),
    Range("u1", 1, 1, STRUCTURED, (1, 16), 16),
    Range("u2", 1, 2, RAW),
    Range("u3", 1, 3, TYPED, (0, U32), U32 | 1 << 8),
    Range("cb0", 2, 0, CBUFFER, None, 64),
)
BINDINGS = 6  # the minor version that has handles from bindings
NATIVE = 1 << 23  # flag of 16-bit types


class Frame(NamedTuple):
    """What a module has around its code."""

    model: int
    threads: int
    native: bool
    flush: bool


def module(frame: Frame, lines: list[str]) -> str:
    """Return the text of a shader with these lines as its code."""
    body = "\n".join([
        "entry:", *_handles(frame.model),
        "  %lane = call i32 @dx.op.threadId.i32(i32 93, i32 0)",
        "  %local = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)",
        f"  %arr = alloca [{ARRAY} x i32], align 4",
        *(f"  %z{at} = getelementptr [{ARRAY} x i32], [{ARRAY} x i32]* %arr, i32 0, i32 {at}\n"
          f"  store i32 0, i32* %z{at}" for at in range(ARRAY)),
        *lines,
    ])  # fmt: skip
    main = f"define void @main() #0 {{\n{body}\n  ret void\n}}"
    mode = "ftz" if frame.flush else "preserve"
    return "\n".join([
        f'target datalayout = "{LAYOUT}"', 'target triple = "dxil-ms-dx"', TYPES, MORE_TYPES,
        GLOBALS, main, declarations(main),
        f'attributes #0 = {{ nounwind "fp32-denorm-mode"="{mode}" }}', _metadata(frame),
    ])  # fmt: skip


def _handles(model: int) -> list[str]:
    """Return the instructions that create handles, of the age of the shader model."""
    handle = "%dx.types.Handle"
    made = []
    numbers = [0, 0, 0]  # ranges of each class so far
    for each in RANGES:
        if model < BINDINGS:
            made.append(
                f"  %{each.name} = call {handle} @dx.op.createHandle(i32 57, i8 {each.group},"
                f" i32 {numbers[each.group]}, i32 {each.register}, i1 false)"
            )
        else:
            at = each.register
            made.append(
                f"  %{each.name}.h = call {handle} @dx.op.createHandleFromBinding(i32 217,"
                f" %dx.types.ResBind {{ i32 {at}, i32 {at}, i32 0, i8 {each.group} }}, i32 {at},"
                " i1 false)"
            )
            flags = each.kind | (each.group == 1) << 12
            made.append(
                f"  %{each.name} = call {handle} @dx.op.annotateHandle(i32 216, {handle}"
                f" %{each.name}.h, %dx.types.ResourceProperties {{ i32 {flags},"
                f" i32 {each.properties} }})"
            )
        numbers[each.group] += 1
    return made


def _metadata(frame: Frame) -> str:
    records: list[list[str]] = [[], [], []]
    nodes = []
    for number, each in enumerate(RANGES, 20):
        tag = "null"
        if each.tag is not None:
            tag = f"!{number + 20}"
            nodes.append(f"{tag} = !{{i32 {each.tag[0]}, i32 {each.tag[1]}}}")
        own = records[each.group]
        ends = {
            0: f"i32 {each.kind}, i32 0, {tag}",
            1: f"i32 {each.kind}, i1 false, i1 false, i1 false, {tag}",
            2: "i32 64, null",
        }[each.group]
        nodes.append(
            f'!{number} = !{{i32 {len(own)}, %struct.Buffer* undef, !"{each.name}", i32 0,'
            f" i32 {each.register}, i32 1, {ends}}}"
        )
        own.append(f"!{number}")
    groups = [f"!{at + 10} = !{{{', '.join(each)}}}" for at, each in enumerate(records)]
    flags = f", i32 0, i64 {NATIVE}" if frame.native else ""
    return "\n".join([
        "!dx.version = !{!0}", "!dx.shaderModel = !{!1}", "!dx.resources = !{!2}",
        "!dx.entryPoints = !{!3}", f"!0 = !{{i32 1, i32 {frame.model}}}",
        f'!1 = !{{!"cs", i32 6, i32 {frame.model}}}', "!2 = !{!10, !11, !12, null}",
        '!3 = !{void ()* @main, !"main", null, !2, !4}', f"!4 = !{{i32 4, !5{flags}}}",
        f"!5 = !{{i32 {frame.threads}, i32 1, i32 1}}", *groups, *nodes,
    ])  # fmt: skip


def buffers(chance: random.Random, threads: int, words: int) -> dict[str, bytes]:
    """Return what the resources begin with; `threads` of all groups store so many words each."""

    def numbers(count: int) -> bytes:
        small = [
            chance.choice((0, 1, 2, 3, 5, 255, 0xFFFF_FFFF, 0x8000_0000)) for _ in range(count)
        ]
        found = [
            chance.choice((each, chance.getrandbits(32), 0x3F80_0000 + 0x10_0000 * at))
            for at, each in enumerate(small)
        ]
        return struct.pack(f"<{count}I", *found)

    floats = [chance.randint(-64, 64) / 4 for _ in range(40)]
    lowest = (0, 0xFFFF_FFFF, 0, 0, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0)
    return {
        "t0": numbers(40), "t1": numbers(32), "t2": numbers(60),
        "t3": struct.pack("<40f", *floats), "cb0": numbers(16), "tab": TAB,
        "u0": bytes(4 * words * threads), "u1": numbers(4 * threads),
        "u2": struct.pack("<32I", *(each for each in lowest for _ in range(4))),
        "u3": numbers(threads),
    }  # fmt: skip
