"""Pixel and vertex shaders on lavapipe: a full-screen triangle, or vertices captured.

    draw(device, fragment, {0: corners, …}, {0: buffer, 1: texture}, size=64, targets=["rgba32f"])
    transform(device, vertex, {0: ("rgb32f", data), …}, {0: buffer}, count, captured)
    capture(device, {1: vertex, 8: geometry}, attributes, {}, count, captured, stride, room)

A varying is given by its values at the corners (-1, -1), (3, -1) and (-1, 3): between them it is
linear, w being 1. The vertex shader that passes it on is assembled here. What a vertex shader gives
is captured by transform feedback: its module is edited, outputs get places in a buffer.

Source: the SPIR-V specification (numbers of instructions and decorations); Vulkan's.
"""

import ctypes
import struct
from collections.abc import Mapping, Sequence

from lavapipe import Lavapipe
from vulkan import made, numbers
from vulkan_pipelines import (
    ATTRIBUTES,
    GRAPHICS,
    State,
    bind_vertices,
    framebuffer_of,
    pipeline_of,
    render_pass_of,
    vertex_input,
)
from vulkan_resources import Binding, Bindings

VERTEX, CONTROL, EVALUATION, GEOMETRY, FRAGMENT = 1, 2, 4, 8, 0x10
CORNERS = ((-1.0, -1.0, 0.5, 1.0), (3.0, -1.0, 0.5, 1.0), (-1.0, 3.0, 0.5, 1.0))
Corners = tuple[str, Sequence[Sequence[float]]]  # format, values at the three corners


# ---------------------------------------------------------------- modules


def op(code: int, *operands: int) -> list[int]:
    """One SPIR-V instruction."""
    return [(len(operands) + 1) << 16 | code, *operands]


def passing(formats: Mapping[int, str]) -> bytes:
    """A vertex shader: attribute 0 is the position, attribute n + 1 becomes varying n."""
    body: list[int] = []
    types: list[int] = []
    notes: list[int] = []
    interface: list[int] = []
    kinds: dict[tuple[str, int], int] = {}
    names = iter(range(100, 10_000))
    void, signature, main, entry = 1, 2, 3, 4
    single, whole = 5, 6
    types += op(19, void) + op(33, signature, void) + op(22, single, 32) + op(21, whole, 32, 1)

    def kind(letter: str, count: int) -> int:
        base = single if letter == "f" else whole
        if count == 1:
            return base
        found = kinds.get((letter, count))
        if found is None:
            found = kinds[letter, count] = next(names)
            types.extend(op(23, found, base, count))
        return found

    def variable(of: int, storage: int, decoration: int, number: int) -> int:
        pointer, found = next(names), next(names)
        types.extend(op(32, pointer, storage, of) + op(59, pointer, found, storage))
        notes.extend(op(71, found, decoration, number))
        interface.append(found)
        return found

    pairs = [("rgba32f", 0, 11, 0)]  # the position: decoration BuiltIn, 0
    pairs += [(format, at + 1, 30, at) for at, format in formats.items()]
    for format, attribute, decoration, number in pairs:
        _, letter, count = ATTRIBUTES[format]
        of = kind(letter, count)
        source = variable(of, 1, 30, attribute)
        target = variable(of, 3, decoration, number)
        value = next(names)
        body += op(61, of, value, source) + op(62, target, value)
    head = op(17, 1) + op(14, 0, 1) + op(15, 0, main, *_string("main"), *interface)
    code = op(54, void, main, 0, signature) + op(248, entry) + body + op(253) + op(56)
    words = [0x07230203, 0x10000, 0, 10_000, 0, *head, *notes, *types, *code]
    return struct.pack(f"<{len(words)}I", *words)


def _string(text: str) -> list[int]:
    data = text.encode() + b"\0" * (4 - len(text) % 4)
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def capturing(module: bytes, locations: Mapping[int, int], stride: int) -> bytes:
    """Return a vertex shader that captures its position at offset 0, its outputs at `locations`."""
    words = list(struct.unpack(f"<{len(module) // 4}I", module))
    at = 5
    main = 0
    members: list[tuple[int, int]] = []
    placed: dict[int, int] = {}
    components: dict[int, int] = {}
    storage: dict[int, int] = {}
    pointed: dict[int, int] = {}
    after_capabilities = after_modes = after_notes = 5
    while at < len(words):
        code, count = words[at] & 0xFFFF, words[at] >> 16
        operands = words[at + 1 : at + count]
        at += count
        if code == 17:
            after_capabilities = at
        elif code in (15, 16):
            main = operands[1] if code == 15 else main
            after_modes = at
        elif code in (71, 72):
            after_notes = at
            if code == 72 and operands[2:] == [11, 0]:
                members.append((operands[0], operands[1]))
            if code == 71 and operands[1] == 30:
                placed[operands[0]] = operands[2]
            if code == 71 and operands[1] == 31:
                components[operands[0]] = operands[2]
            if code == 71 and operands[1:] == [11, 0]:
                placed[operands[0]] = -1
        elif code == 32:
            pointed[operands[0]] = operands[2]
        elif code == 59:
            storage[operands[1]] = operands[2]
            for struct_type, _ in members:
                if pointed.get(operands[0]) == struct_type and operands[2] == 3:
                    placed[operands[1]] = -2
    notes: list[int] = []
    for variable, location in placed.items():
        if storage.get(variable) != 3 or (location >= 0 and location not in locations):
            continue
        notes += op(71, variable, 36, 0) + op(71, variable, 37, stride)
        if location != -2:
            first = 4 * components.get(variable, 0)
            notes += op(71, variable, 35, 0 if location < 0 else locations[location] + first)
    for struct_type, member in members:
        notes += op(72, struct_type, member, 35, 0)
    found = words[:after_capabilities] + op(17, 53) + words[after_capabilities:after_modes]
    found += op(16, main, 11) + words[after_modes:after_notes] + notes + words[after_notes:]
    return struct.pack(f"<{len(found)}I", *found)


# ---------------------------------------------------------------- draws


def draw(
    device: Lavapipe,
    fragment: bytes,
    varyings: Mapping[int, Corners],
    bindings: Mapping[int, Binding],
    *,
    size: int = 64,
    targets: Sequence[str] = ("rgba32f",),
    push: bytes = b"",
) -> list[bytes]:
    """Every pixel of a square, drawn by one triangle: the bytes of each target."""
    api = device.api
    given = {0: ("rgba32f", struct.pack("<12f", *[x for corner in CORNERS for x in corner]))}
    for at, (format, corners) in varyings.items():
        _, letter, count = ATTRIBUTES[format]
        flat = [x for corner in corners for x in corner]
        given[at + 1] = (format, struct.pack(f"<{3 * count}{letter}", *flat))
    vertices, buffers = vertex_input(device, given)
    images = [device.image(format, size, size, target=True) for format in targets]
    render_pass = render_pass_of(device, images)
    framebuffer = framebuffer_of(device, render_pass, images, (size, size))
    bound = Bindings(device, bindings, push)
    passed = passing({at: format for at, (format, _) in varyings.items()})
    stages = [device.stage(passed, VERTEX), device.stage(fragment, FRAGMENT)]
    state = State((size, size), topology=3)
    pipeline = pipeline_of(device, stages, vertices, bound, render_pass, images, state)
    with device.commands() as commands:
        clears = (ctypes.c_uint32 * (4 * len(images)))()
        begin = made(
            "RenderPassBeginInfo", renderPass=render_pass, framebuffer=framebuffer, width=size,
            height=size, clearCount=len(images), clears=clears,
        )  # fmt: skip
        api.call("vkCmdBeginRenderPass", commands, begin, 0)
        api.call("vkCmdBindPipeline", commands, GRAPHICS, pipeline)
        bound.bind(api, commands, GRAPHICS)
        bind_vertices(device, commands, buffers)
        api.call("vkCmdDraw", commands, 3, 1, 0, 0)
        api.call("vkCmdEndRenderPass", commands)
    return [each.read() for each in images]


def capture(
    device: Lavapipe,
    modules: Mapping[int, bytes],
    attributes: Mapping[int, tuple[str, bytes]],
    bindings: Mapping[int, Binding],
    count: int,
    locations: Mapping[int, int],
    stride: int,
    room: int,
    *,
    topology: int = 0,
    patch: int = 0,
    instance: int = 0,
) -> bytes:
    """Run the stages before the rasteriser for `count` vertices; return what the last one outputs.

    `room` is the number of vertices that the buffer has room for; those that are not written are 0.
    The device needs VK_EXT_transform_feedback.
    """
    api = device.api
    vertices, buffers = vertex_input(device, attributes)
    render_pass = render_pass_of(device, [])
    framebuffer = framebuffer_of(device, render_pass, [], (1, 1))
    bound = Bindings(device, bindings, b"")
    last = max(modules)
    stages = [
        device.stage(capturing(code, locations, stride) if stage == last else code, stage)
        for stage, code in modules.items()
    ]
    state = State(topology=topology, patch=patch, discard=True)
    pipeline = pipeline_of(device, stages, vertices, bound, render_pass, [], state)
    captured = device.buffer(room * stride)
    with device.commands() as commands:
        begin = made(
            "RenderPassBeginInfo", renderPass=render_pass, framebuffer=framebuffer, width=1,
            height=1,
        )  # fmt: skip
        api.call("vkCmdBeginRenderPass", commands, begin, 0)
        api.call("vkCmdBindPipeline", commands, GRAPHICS, pipeline)
        bound.bind(api, commands, GRAPHICS)
        bind_vertices(device, commands, buffers)
        call = device.extension
        handles = numbers(captured.handle, kind=ctypes.c_uint64)
        nowhere = numbers(0, kind=ctypes.c_uint64)
        sizes = numbers(room * stride, kind=ctypes.c_uint64)
        call("vkCmdBindTransformFeedbackBuffersEXT", commands, 0, 1, handles, nowhere, sizes)
        call("vkCmdBeginTransformFeedbackEXT", commands, 0, 0, None, None)
        api.call("vkCmdDraw", commands, count, 1, 0, instance)
        call("vkCmdEndTransformFeedbackEXT", commands, 0, 0, None, None)
        api.call("vkCmdEndRenderPass", commands)
    return bytes(captured.data)


def transform(
    device: Lavapipe,
    vertex: bytes,
    attributes: Mapping[int, tuple[str, bytes]],
    bindings: Mapping[int, Binding],
    count: int,
    locations: Mapping[int, int],
    stride: int,
    instance: int = 0,
) -> bytes:
    """Run a vertex shader for `count` points; see `capture`."""
    return capture(
        device, {VERTEX: vertex}, attributes, bindings, count, locations, stride, count,
        instance=instance,
    )  # fmt: skip
