"""The whole text of a program in GLSL."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...errors import UnsupportedError
from ...vocab.words import Stage
from ..interface import default_bits
from ..meshes import GROUPED
from ..parts import SourceParts, cleared_arrays, folded_constants, group_constants, initial
from ..printer import Printer
from ..resources.context import is_image
from ..resources.declared import is_ordered, is_unbounded
from ..spelling import INDENT
from ..tree import literal
from .declarations import declarations, named_views, size_functions
from .entry import closing, declared_ports, opening
from .groups import declared_groups, group_layouts
from .points import declared_points, hull_main, stage_layouts

if TYPE_CHECKING:
    from .target import GlslTarget

__all__ = ["program"]

VERSION = "#version 460"
# Execution modes of floats: numbers of the mode and of its capability (SPV_KHR_float_controls).
PRESERVE, FLUSH, SPECIAL = (4459, 4464), (4460, 4465), (4461, 4466)
INTRINSICS = "GL_EXT_spirv_intrinsics"
IN_TURN = "GL_ARB_fragment_shader_interlock"
NON_UNIFORM = "GL_EXT_nonuniform_qualifier"
QUADS = "GL_NV_compute_shader_derivatives"
WIDTHS = (16, 32, 64)
COUNTED = {  # in another way than in Direct3D
    "gl_VertexIndex": "is from the first vertex of the draw call",
    "gl_InstanceIndex": "is from the first instance of the draw call",
}


def program(target: "GlslTarget", parts: SourceParts) -> str:
    """Return the source."""
    printer = Printer(target, parts.exact, parts.numbers)
    target.views = named_views(parts.resources)
    target.images = {memory for memory, found in parts.resources.known.items() if is_image(found)}
    main = []
    in_turn = is_ordered(parts.resources)
    if parts.kernel.stage is Stage.HULL:
        main = hull_main(target, parts, printer)
    else:
        body = closing(parts.interface, parts.body)
        lines = [*_first_lines(parts, printer), *printer.lines(body)]
        main = _in_turn(parts, lines) if in_turn else ["void main()", "{", *lines, "}"]
    kernel = parts.kernel
    constants = [
        f"layout(constant_id = {each.index}) const {target.type(each.type)} {each.name} = "
        f"{printer.number(default_bits(each, parts.reflection), each.type)};"
        for each in parts.interface.constants
    ]
    found = constants + declarations(parts, printer, target.extensions, target.views)
    types = {
        each.name: f"{target.type(each.type)} {each.name}"
        for each in (*parts.interface.inputs, *parts.interface.outputs)
    }
    grouped = kernel.stage in GROUPED
    ports = [*(declared_groups if grouped else declared_points)(parts, target.extensions)]
    ports += [text.format(**types) for text in declared_ports(parts.interface, kernel, parts.exact)]
    functions = [
        *size_functions(parts.resources, target.extensions, target.views),
        *printer.helpers.values(),
    ]
    heads = [VERSION]
    modes = [*_modes(parts)] if parts.exact else []
    whole = "\n".join(main)
    if "nonuniformEXT(" in whole or any(map(is_unbounded, parts.resources.known.values())):
        target.extensions.add(NON_UNIFORM)
    if "gl_Subgroup" in whole:
        target.extensions.add("GL_KHR_shader_subgroup_basic")
    in_quads = kernel.dispatched and kernel.quads
    if in_quads and grouped:
        raise UnsupportedError(f"derivatives of a {kernel.stage} shader have no layout yet")
    if in_turn:
        target.extensions.add(IN_TURN)
    if in_quads:
        target.extensions.add(QUADS)
    if modes:
        target.extensions.add(INTRINSICS)
    heads += [f"#extension {each} : require" for each in sorted(target.extensions)]
    heads += modes
    if parts.idioms:
        words = sorted({target.functions.get(each, each) for each in parts.idioms})
        heads.append(
            f"// written as calls: {', '.join(words)}; each is several operations in the program"
        )
    heads += [f"// {each}" for each in parts.notes]
    heads += folded_constants(parts, True)
    for each in parts.interface.inputs:
        is_semantic = each.semantic.upper().startswith("SV_")
        if each.builtin in COUNTED and each.name == each.builtin and is_semantic:
            heads.append(f"// {each.builtin} {COUNTED[each.builtin]}; {each.semantic} is from 0")
    if kernel.dispatched:
        sizes = [
            f"local_size_{axis} = {size}" for axis, size in zip("xyz", kernel.group, strict=True)
        ]
        for axis, id in zip("xyz", group_constants(parts), strict=True):
            if id is not None:
                sizes.append(f"local_size_{axis}_id = {id}")
        heads.append(f"layout({', '.join(sizes)}) in;")
    if in_quads:
        heads.append("layout(derivative_group_quadsNV) in;")
    heads += group_layouts(parts) if grouped else stage_layouts(parts)
    if parts.lowered.early_tests and kernel.stage is Stage.PIXEL:
        heads.append("layout(early_fragment_tests) in;")
    if in_turn:
        heads.append("layout(pixel_interlock_ordered) in;")
    sections = ["\n".join(each) for each in (heads, found, ports, functions) if each]
    text = "\n\n".join(sections)
    return f"{text}\n\n{whole}\n"


def _in_turn(parts: SourceParts, lines: Sequence[str]) -> list[str]:
    """Return a function with the lines, which may return early, and one that runs it in turn."""
    name = parts.names.unique("in_turn")
    return [
        f"void {name}()", "{", *lines, "}", "", "void main()", "{",
        f"{INDENT}beginInvocationInterlockARB();", f"{INDENT}{name}();",
        f"{INDENT}endInvocationInterlockARB();", "}",
    ]  # fmt: skip


def _first_lines(parts: SourceParts, printer: Printer) -> Iterator[str]:
    yield from printer.lines([*opening(parts.interface), *initial(parts)])
    yield from cleared_arrays(
        parts,
        printer.target.type,
        lambda type: printer.widened(literal((0,), type.wide(1)), type.width),
    )


def _modes(parts: SourceParts) -> Iterator[str]:
    """Yield the execution modes of the floats that the program computes with."""
    kernel = parts.kernel
    used = {each.type.bits for each in kernel.values() if each.type.kind == "f"}
    for width in WIDTHS:
        if width in used:
            for mode, capability in (FLUSH if width in kernel.flush else PRESERVE, SPECIAL):
                yield (
                    'spirv_execution_mode(extensions = ["SPV_KHR_float_controls"],'
                    f" capabilities = [{capability}], {mode}, {width});"
                )
