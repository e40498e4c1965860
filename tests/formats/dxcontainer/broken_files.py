"""Files that break a rule of `formats.dxcontainer.verify`, one for each, and some that break none.

Most are the vertex shader of the blog, edited as plain data: put("ISGN", "elements.0.mask", 0).
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import unshade
from tests.examples import CONTAINERS, EXAMPLES
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures import root_signatures
from tests.formats.dxcontainer import broken_validation
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.digest import DigestKind, digest
from unshade.formats.dxcontainer.parts.level9 import (
    ConstantMapping,
    Level9Program,
    SamplerMapping,
)

BLOG = DxContainer.loads(blog.build()).to_data()
Data = dict[str, Any]

# ---------------------------------------------------------------- files in a line each


def fields(data: Data, name: str) -> Data:
    """Return the fields of a part in plain data."""
    found: Data = next(part for part in data["parts"] if part["name"] == name)["fields"]
    return found


def edited(*edits: Callable[[Data], object]) -> bytes:
    """Return the shader of the blog after an edit of its plain data."""
    data = copy.deepcopy(BLOG)
    for edit in edits:
        edit(data)
    return DxContainer.from_data(data).to_bytes()


def put(name: str, path: str, value: object) -> Callable[[Data], object]:
    """Set a field by its path: `elements.0.mask`."""

    def edit(data: Data) -> None:
        *outer, last = path.split(".")
        at: Any = fields(data, name)
        for each in outer:
            at = at[int(each)] if each.isdecimal() else at[each]
        if last == "append":
            at.append(value)
        elif last.isdecimal():
            at[int(last)] = value
        else:
            at[last] = value

    return edit


def add(
    name: str, hexadecimal: str = "", at: int | None = None, **content: object
) -> Callable[[Data], object]:
    def edit(data: Data) -> None:
        parts = data["parts"]
        part = {"name": name, **({"fields": content} if content else {"data": hexadecimal})}
        parts.insert(len(parts) if at is None else at, part)

    return edit


def drop(name: str) -> Callable[[Data], object]:
    def edit(data: Data) -> None:
        data["parts"] = [part for part in data["parts"] if part["name"] != name]

    return edit


def top(**values: object) -> Callable[[Data], object]:
    return lambda data: data.update(values)


def changed(offset: int, value: bytes, resign: bool = True) -> bytes:
    """Return the bytes of the blog's file with some replaced and a valid digest."""
    data = bytearray(blog.build())
    data[offset : offset + len(value)] = value
    if resign:
        data[4:20] = digest(bytes(data[20:]))
    return bytes(data)


RANGE = {"kind": "UAV", "count": 1, "base_register": 0, "space": 0, "flags": 0, "table_offset": 0}
TABLE = {"kind": "DESCRIPTOR_TABLE", "visibility": "ALL", "payload": {"ranges": [RANGE]}}
SAMPLER = {
    "filter": 0, "address_u": "WRAP", "address_v": "WRAP", "address_w": "WRAP", "mip_lod_bias": 0.0,
    "max_anisotropy": 1, "comparison": "NEVER", "border_color": "OPAQUE_BLACK", "min_lod": 0.0,
    "max_lod": 1.0, "register": 0, "space": 0, "visibility": "ALL",
}  # fmt: skip


def root(
    *parameters: Data,
    samplers: tuple[Data, ...] = (),
    flags: int = 0,
    version: int = 2,
    program: bool = True,
) -> bytes:
    """Return a compute shader with one view, and its root signature."""
    view = {"type": "UNORDERED_ACCESS_VIEW", "swizzle": "xyzw", "index": [0, 0, 0]}
    code = [
        {"op": "dcl_uav_raw", "operands": [view], "space": 0},
        {"op": "dcl_thread_group", "x": 1, "y": 1, "z": 1},
        {"op": "ret"},
    ]
    signature = {
        "version": version,
        "parameters": list(parameters),
        "samplers": list(samplers),
        "flags": flags,
    }
    parts: list[Data] = [{"name": "RTS0", "fields": signature}]
    if program:
        parts += [
            {"name": "ISGN", "fields": {"elements": []}},
            {"name": "OSGN", "fields": {"elements": []}},
            {
                "name": "SHEX",
                "fields": {"major": 5, "minor": 1, "kind": "COMPUTE", "instructions": code},
            },
        ]
    return DxContainer.from_data({"format": "dxcontainer", "parts": parts}).to_bytes()


def table(*ranges: Data) -> Data:
    return {**TABLE, "payload": {"ranges": list(ranges)}}


def interfaces(total: int = 1, class_id: int = 0, table_id: int = 0) -> Callable[[Data], object]:
    slot = {"span": 1, "type_ids": [class_id], "table_ids": [table_id]}
    kind = {
        "name": "cOne",
        "id": 0,
        "constant_buffer_stride": 0,
        "texture_count": 0,
        "sampler_count": 0,
    }
    return add("IFCE", slot_total=total, instances=[], classes=[kind], slots=[slot], noise="00" * 8)


def geometry() -> bytes:
    """Return a geometry shader with the statistics of another."""
    vertex = {"type": "INPUT", "mask": "xyz", "index": [3, 0]}
    code = [
        {"op": "dcl_input", "operands": [vertex]},
        {"op": "dcl_inputprimitive", "primitive": "TRIANGLE"},
        {"op": "dcl_outputtopology", "topology": "TRIANGLESTRIP"},
        {"op": "dcl_maxout", "count": 3},
        {"op": "ret"},
    ]
    return edited(
        drop("OSGN"), drop("RDEF"), add("OSGN", elements=[]),
        put("SHDR", "kind", "GEOMETRY"), put("SHDR", "instructions", code),
        put("STAT", "instruction_count", 1), put("STAT", "temp_register_count", 0),
        put("STAT", "gs_max_output_vertex_count", 4),
    )  # fmt: skip


def instruction(index: int, path: str, value: object) -> Callable[[Data], object]:
    return put("SHDR", f"instructions.{index}.{path}", value)


RAW = {
    "op": "dcl_resource_raw",
    "operands": [{"type": "RESOURCE", "components": "ONE", "index": [0]}],
}
SAMPLER_1 = {
    "op": "dcl_sampler",
    "operands": [{"type": "SAMPLER", "components": "ZERO", "index": [1]}],
}


def declare(code: Data) -> Callable[[Data], object]:
    return lambda data: fields(data, "SHDR")["instructions"].insert(0, code)


BINDING = {
    "name": "$Globals", "kind": "CBUFFER", "return_type": "NONE", "dimension": "UNKNOWN",
    "sample_count": 0, "bind_point": 0, "bind_count": 1, "flags": 0,
}  # fmt: skip
SIZES = {
    "tag": 0x31314452, "header_size": 60, "buffer_size": 24, "binding_size": 32,
    "variable_size": 40, "type_size": 36, "member_size": 12, "interface_slots": 0,
}  # fmt: skip


def wrong_sizes() -> bytes:
    """Return a file of Shader Model 5 with a wrong table of record sizes."""
    shader = DxContainer.loads(CONTAINERS[0].read_bytes())
    sizes = shader["RDEF"].sizes
    assert sizes is not None
    sizes.type_size = 40
    return shader.to_bytes()


BUFFER = "CBV(b0)"
CONSTANTS = "RootConstants(num32BitConstants={}, b0)"
SAMPLERS = "DescriptorTable(Sampler(s1, numDescriptors=2))"
REST = f"DescriptorTable(SRV(t1, numDescriptors=2)), {SAMPLERS}"
ALL = f"{BUFFER}, {REST}"
VIEWS = "SRV(t0), UAV(u1)"


INDEXED = """\
vs_5_0
dcl_constantbuffer CB0[4], dynamicIndexed
dcl_input v0.x
dcl_output o0.xyzw
dcl_temps 1
mov r0.x, v0.x
mov o0.xyzw, cb0[r0.x + 0].xyzw
ret
"""


def with_root_signature(shader: str | DxContainer, text: str) -> bytes:
    """Return an example, or the program of a listing, with a root signature."""
    if isinstance(shader, str):
        if shader.endswith((".dxbc", ".dxil")):
            made = unshade.loads((EXAMPLES / shader).read_bytes())
        else:
            made = unshade.assemble(shader, "dxcontainer")
        assert isinstance(made, DxContainer)
        shader = made
    shader.root_signature = text
    shader.sign()
    return shader.to_bytes()


# Each rule, and files that break it.
def level9(**fields: Any) -> bytes:
    """Return the shader of the blog with a program for feature level 9."""
    made = DxContainer.loads(blog.build())
    tokens = bytes.fromhex("0002feffffff0000")
    made["Aon9"] = Level9Program(
        **{"size": 36 + len(tokens), "major": 2, "kind": 0xFFFE, "tokens": tokens, **fields}
    )
    return made.to_bytes()


BROKEN: dict[str, list[Callable[[], bytes]]] = {
    "aon9.stage": [lambda: level9(kind=0xFFFF), lambda: level9(kind=0x1234)],
    "aon9.code": [
        lambda: level9(size=40, tokens=b"\0\2\xfe\xff"),
        lambda: level9(size=36, tokens=b""),
    ],
    "aon9.version": [
        lambda: level9(major=3),
        lambda: level9(tokens=bytes.fromhex("0002ffffffff0000")),
    ],
    "aon9.register": [
        lambda: level9(constants=[ConstantMapping(buffer=9, count=1, conversions=[0] * 4)]),
        lambda: level9(constants=[ConstantMapping(count=99, conversions=[0] * 4)]),
        lambda: level9(samplers=[SamplerMapping(sampler=3)]),
    ],
    "container.size": [lambda: changed(24, (852).to_bytes(4, "little"))],
    "container.version": [lambda: changed(20, b"\x02")],
    "container.digest": [lambda: changed(100, b"\xff", resign=False)],
    "container.unsigned": [lambda: edited(top(digest=DigestKind.NONE.value))],
    "container.digest-bypass": [lambda: edited(top(digest=DigestKind.BYPASS.value))],
    "container.debug-digest": [lambda: edited(top(digest=DigestKind.DEBUG.value))],
    "container.no-parts": [lambda: edited(top(parts=[]))],
    "container.gap": [lambda: edited(lambda data: data["parts"][1].update(gap="00000000"))],
    "container.tail": [lambda: edited(top(tail="00000000"))],
    "container.trailing": [lambda: blog.build() + b"more"],
    "container.part-order": [lambda: edited(top(order=[1, 0, 2, 3, 4]))],
    "container.alignment": [lambda: edited(add("PRIV", "00", at=0))],
    "container.programs": [
        lambda: edited(lambda data: data["parts"].append({**data["parts"][3], "name": "SHEX"})),
        lambda: edited(add("DXIL", "00")),
    ],
    "container.program-part": [lambda: edited(put("SHDR", "major", 5))],
    "container.no-signature": [lambda: edited(drop("OSGN")), lambda: edited(drop("ISGN"))],
    "part.malformed": [lambda: edited(add("SFI0", "00"))],
    "part.name": [lambda: edited(add("A\x00B!", "00"))],
    "part.unknown": [lambda: edited(add("WXYZ", "00"))],
    "part.duplicate": [lambda: edited(add("STAT", "00000000"))],
    "part.private-last": [lambda: edited(add("PRIV", "00000000", at=0))],
    "signature.mask": [
        lambda: edited(put("ISGN", "elements.0.mask", 0)),
        lambda: edited(put("OSGN", "elements.0.mask", 31)),
    ],
    "signature.used-mask": [lambda: edited(put("ISGN", "elements.0.rw_mask", 15))],
    "signature.system-value": [lambda: edited(put("ISGN", "elements.0.system_value", 50))],
    "signature.component-type": [lambda: edited(put("ISGN", "elements.0.component_type", 50))],
    "signature.register": [lambda: edited(put("ISGN", "elements.0.register", 32))],
    "signature.register-overlap": [lambda: edited(put("ISGN", "elements.1.register", 0))],
    "signature.duplicate": [lambda: edited(put("ISGN", "elements.1.name", "position"))],
    "signature.name": [lambda: edited(put("ISGN", "elements.1.name", ""))],
    "signature.stream": [
        lambda: edited(
            drop("OSGN"),
            add(
                "OSG5",
                elements=[{**each, "stream": 1} for each in fields(BLOG, "OSGN")["elements"]],
            ),
        )
    ],
    "signature.undeclared": [
        lambda: edited(put("ISGN", "elements.0.register", 5)),
        lambda: edited(put("OSGN", "elements.1.mask", 1)),
    ],
    "signature.unwritten": [
        lambda: edited(instruction(4, "op", "nop"), instruction(4, "operands", []))
    ],
    "signature.meaning": [lambda: edited(put("OSGN", "elements.0.system_value", "UNDEFINED"))],
    "stat.instruction-count": [lambda: edited(put("STAT", "instruction_count", 9))],
    "stat.temp-count": [lambda: edited(put("STAT", "temp_register_count", 2))],
    "stat.stage": [geometry],
    "rdef.target": [
        lambda: edited(put("RDEF", "target", "PIXEL")),
        lambda: edited(put("RDEF", "minor", 1)),
    ],
    "rdef.sizes": [wrong_sizes],
    "rdef.enumeration": [
        lambda: edited(put("RDEF", "bindings.0.dimension", 77)),
        lambda: edited(put("RDEF", "buffers.0.kind", 9)),
        lambda: edited(put("RDEF", "buffers.0.variables.0.type.variable_class", 9)),
    ],
    "rdef.variable": [lambda: edited(put("RDEF", "buffers.0.variables.0.offset", 16))],
    "rdef.buffer": [lambda: edited(put("RDEF", "bindings.0.name", "Other"))],
    "rdef.overlap": [
        lambda: edited(put("RDEF", "bindings.append", {**BINDING, "name": "$Globals"}))
    ],
    "rdef.undeclared": [lambda: edited(declare(RAW))],
    "rdef.unused": [lambda: edited(put("RDEF", "bindings.0.bind_point", 3))],
    "rdef.kind": [
        lambda: edited(
            declare(RAW), put("RDEF", "bindings.append", {**BINDING, "kind": "STRUCTURED"})
        ),
        lambda: edited(
            declare(SAMPLER_1),
            put(
                "RDEF",
                "bindings.append",
                {**BINDING, "kind": "SAMPLER", "bind_point": 1, "flags": 2},
            ),
        ),
    ],
    "rdef.buffer-size": [
        lambda: edited(
            put("RDEF", "buffers.0.size", 48), put("RDEF", "buffers.0.variables.0.size", 48)
        )
    ],
    "sfi0.missing": [
        lambda: edited(declare({"op": "dcl_globalFlags", "enable_double_precision": 1})),
        lambda: edited(
            add("SFI0", flags=0), declare({"op": "dcl_globalFlags", "enable_minimum_precision": 1})
        ),
    ],
    "sfi0.unknown": [lambda: edited(add("SFI0", flags=1 << 60))],
    "rts0.version": [lambda: root(TABLE, version=0)],
    "rts0.value": [
        lambda: root({**TABLE, "visibility": 9}),
        lambda: root(TABLE, table({**RANGE, "kind": 7})),
        lambda: root(TABLE, samplers=({**SAMPLER, "address_u": 9},)),
    ],
    "rts0.sampler-count": [
        lambda: root(TABLE, samplers=tuple({**SAMPLER, "register": i} for i in range(2033)))
    ],
    "rts0.unbound": [
        root,
        lambda: root({**TABLE, "visibility": "PIXEL"}),
        lambda: root(table({**RANGE, "base_register": 1})),
        lambda: root(table({**RANGE, "space": 1})),
        lambda: root(table({**RANGE, "kind": "SRV"})),
    ],
    "rts0.descriptor": [
        lambda: with_root_signature("phong.dxbc", f"{BUFFER}, SRV(t1), SRV(t2), {SAMPLERS}")
    ],
    "rts0.denied": [
        lambda: with_root_signature(
            "phong.dxbc", f"RootFlags(DENY_PIXEL_SHADER_ROOT_ACCESS), {ALL}"
        )
    ],
    "rts0.constants": [lambda: with_root_signature("phong.dxbc", f"{CONSTANTS.format(8)}, {REST}")],
    "rts0.constants-size": [
        lambda: with_root_signature("saxpy6.dxil", f"{CONSTANTS.format(1)}, {VIEWS}")
    ],
    "rts0.constants-indexed": [lambda: with_root_signature(INDEXED, CONSTANTS.format(16))],
    "ifce.total": [lambda: edited(interfaces(total=2))],
    "ifce.class": [lambda: edited(interfaces(class_id=1))],
    "ifce.table": [lambda: edited(interfaces(table_id=5))],
}

for code, files in broken_validation.BROKEN.items():
    BROKEN.setdefault(code, []).extend(files)
for case in root_signatures.BROKEN:
    BROKEN.setdefault(case.code, []).append(partial(with_root_signature, DxContainer(), case.text))

SOUND: dict[str, Callable[[], bytes]] = {
    "blog": blog.build,
    "rebuilt": edited,
    "root signature": lambda: root(TABLE, samplers=(SAMPLER,)),
    "unbounded": lambda: root(table({**RANGE, "count": 0xFFFFFFFF})),
    "descriptor": lambda: root(
        {"kind": "UAV", "visibility": "ALL", "payload": {"register": 0, "space": 0, "flags": 0}}
    ),
    "DXIL": broken_validation.shader,
    "library": broken_validation.library,
    "root signature alone": lambda: root(TABLE, program=False),
}
