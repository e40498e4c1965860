"""The interface of a SPIR-V module: its variables that reach outside.

    OpVariable %_ptr_UniformConstant %t0 UniformConstant      Variable("t0", …, binding=3,
    OpDecorate %t0 DescriptorSet 0 · Binding 3                   type=("image", "f", 1, …))

Source: the SPIR-V specification (numbers of instructions, storage classes and decorations).
"""

import re
import struct
from dataclasses import dataclass
from typing import Any

INPUT, OUTPUT = 1, 3  # storage classes
OUTSIDE = {0: "constant", INPUT: "input", 2: "uniform", OUTPUT: "output", 9: "push", 12: "storage"}
BUILT_INS = {
    0: "position", 1: "point_size", 3: "clip_distance", 4: "cull_distance", 5: "vertex_id",
    6: "instance_id", 7: "primitive_id", 9: "layer", 10: "viewport", 15: "position",
    17: "front_facing", 18: "sample_id", 20: "sample_mask", 22: "depth", 26: "workgroup_id",
    27: "local_id", 28: "global_id", 29: "local_index", 42: "vertex_id", 43: "instance_id",
}  # fmt: skip
DIMENSIONS = {0: "1d", 1: "2d", 2: "3d", 3: "cube", 5: "buffer"}
FORMATS = {0: "", 1: "rgba32f", 3: "r32f", 21: "rgba32i", 24: "r32i", 30: "rgba32ui", 33: "r32ui"}
Type = tuple[Any, ...]


@dataclass
class Variable:
    """`type` is ("image", letter, dimension, depth, arrayed, multisampled, format), ("sampler",),
    ("struct", …), ("array", length, type) or ("f" | "i" | "u", components).
    """

    name: str
    storage: str
    type: Type
    binding: int = -1
    location: int = -1
    component: int = 0
    built_in: str = ""
    flat: bool = False


def variables(module: bytes) -> list[Variable]:
    """All variables with a binding, a location or a built-in meaning.

    Numbers at the end of a name are left out: vkd3d gives one to each part of a register.
    """
    words = struct.unpack(f"<{len(module) // 4}I", module)
    names: dict[int, str] = {}
    notes: dict[int, dict[int, int]] = {}
    types: dict[int, Type] = {}
    pointers: dict[int, int] = {}
    numbers: dict[int, int] = {}
    found: list[Variable] = []
    at = 5
    while at < len(words):
        code, count = words[at] & 0xFFFF, words[at] >> 16
        rest = words[at + 1 : at + count]
        at += count
        match code:
            case 5:
                raw = struct.pack(f"<{len(rest) - 1}I", *rest[1:])
                names[rest[0]] = re.sub(r"_\d+$", "", raw.split(b"\0")[0].decode())
            case 71:
                notes.setdefault(rest[0], {})[rest[1]] = rest[2] if len(rest) > 2 else 1
            case 20:
                types[rest[0]] = "bool", 1
            case 21:
                types[rest[0]] = "iu"[not rest[2]], 1
            case 22:
                types[rest[0]] = "f", 1
            case 23:
                types[rest[0]] = types[rest[1]][0], rest[2]
            case 25:
                letter = types[rest[1]][0]
                dimension = DIMENSIONS.get(rest[2], str(rest[2]))
                format = FORMATS.get(rest[7], str(rest[7]))
                types[rest[0]] = ("image", letter, dimension, *rest[3:6], rest[6], format)
            case 26:
                types[rest[0]] = ("sampler",)
            case 27:
                types[rest[0]] = ("combined", *types[rest[1]])
            case 28:
                types[rest[0]] = "array", numbers[rest[2]], types[rest[1]]
            case 29:
                types[rest[0]] = "array", 0, types[rest[1]]
            case 30:
                types[rest[0]] = ("struct", *(types.get(each) for each in rest[1:]))
            case 32:
                pointers[rest[0]] = rest[2]
            case 43:
                numbers[rest[1]] = rest[2]
            case 59 if rest[2] in OUTSIDE:
                own = notes.get(rest[1], {})
                found.append(
                    Variable(
                        names.get(rest[1], ""), OUTSIDE[rest[2]], types[pointers[rest[0]]],
                        own.get(33, -1), own.get(30, -1), own.get(31, 0),
                        BUILT_INS.get(own[11], str(own[11])) if 11 in own else "", 14 in own,
                    )
                )  # fmt: skip
    return found
