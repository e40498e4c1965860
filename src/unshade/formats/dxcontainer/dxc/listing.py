"""All lines of a listing, in order."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ....dialect import Heading, no_options
from ....errors import FormatError, UnshadeError, UnsupportedError
from ....isa.linked import paths_of, relinked
from ....programs.dxil.code import Code
from ....programs.dxil.datalayout import DataLayout
from ....programs.dxil.exact import exact_lines
from ....programs.dxil.lines import copied_paths, record_paths, shown_paths
from ....programs.dxil.lines import line_paths as code_paths
from ....programs.dxil.model import DxilModule
from ....programs.dxil.model.metadata import MetadataNode
from ....programs.dxil.shaderinfo import DxilShader, read_shader
from ....programs.dxil.text import module_lines
from ..choice import copies, listed_part, running_part
from ..parts.psv0 import PipelineStateValidation, PsvResourceType
from ..parts.signature import ProgramSignature
from .bindings import binding_lines
from .buffers import NodePaths, buffer_lines, no_paths
from .header import debug_name_lines, feature_lines, hash_lines
from .pipeline_state import runtime_lines
from .signatures import metadata_lines, part_lines
from .subobjects import subobject_lines
from .viewid import view_id_lines

if TYPE_CHECKING:
    from ..part import DxPart
    from ..shader import DxContainer

__all__ = ["decoded", "disassemble", "first_part", "line_paths"]

EXACT = Heading("dxcontainer", "exact", 1)
SIGNATURES = (("Input", "ISG1"), ("Output", "OSG1"), ("Patch Constant", "PSG1"))
USES_VIEW_ID = 1 << 21
PLAIN_TITLES = ("Input", "Output", "Patch Constant")  # of signatures, but for mesh shaders
GROUPS = ("SRV", "UAV", "CBV", "SAMPLER")  # by number of a resource's group
PSV_GROUPS = {each.value: GROUPS.index(each.name.split("_")[0]) for each in PsvResourceType
              if each.name.split("_")[0] in GROUPS}  # fmt: skip
VERSION, VIEW_ID = "dx.version", "dx.viewIdState"


def disassemble(
    shader: "DxContainer", *, exact: bool = False, strict: bool = True, **options: Any
) -> str:
    """Return the listing; the dialect `exact` preserves every bit of the program.

    `choice.listed_part` selects the program.

    Unless `strict`, metadata that is malformed only leaves out the tables that show it.

    Raises:
        FormatError: The program is malformed; the path leads to it.
        LimitError: A limit is exceeded.
        UnsupportedError: There is no program, or an option of fxc's listings is given.
        UsageError: Another option is given.
    """
    for name in ("generation", "library"):
        if options.pop(name, None) is not None:
            raise UnsupportedError(f"{name}: expected a listing of fxc, got a DXIL program")
    no_options("DXIL", options)
    part = listed_part(shader.parts, exact=exact)
    if part is None:
        raise UnsupportedError("nothing to list: no DXIL or ILDB part")
    code = decoded(part, shader)
    module = code.module if exact else code.read_module()
    lines = _tables(shader, code, module, strict)
    if exact:
        lines = [EXACT.line(";"), *lines, *exact_lines(code)]
    else:
        del code
        module.forget_records()
        lines += module_lines(module, shader.limits)
    lines += ("", "")
    return "\n".join(lines)


def line_paths(shader: "DxContainer") -> list[tuple[str, ...]]:
    """Return the paths in the container's spans that each line of the native listing shows."""
    part = listed_part(shader.parts)
    if part is None:
        return []
    code = decoded(part, shader)
    links = _links(part, code)
    found = paths_of(_tables(shader, code, code.read_module(), strict=True, links=links))
    inner = [_within(part, paths) for paths in code_paths(code)]
    running = running_part(shader.parts)
    if running is not None and running is not part:  # the listing is that of a copy
        copied = copied_paths(code, decoded(running, shader))
        inner = [a + _within(running, b) for a, b in zip(inner, copied, strict=True)]
    return found + inner


def _within(part: "DxPart", paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{part.name}.{path}" for path in paths)


def first_part(shader: "DxContainer", name: str) -> "DxPart | None":
    """Return the first part of a name, or None."""
    return next((part for part in shader.parts if part.name == name), None)


def decoded(part: "DxPart", shader: "DxContainer") -> Code:
    """Return a copy of the program of a part."""
    try:
        return Code.decode(part.data, shader.limits)
    except FormatError as error:
        raise error.within(0, part.name) from None


def _links(part: "DxPart", code: Code) -> NodePaths:
    """Return the finder of metadata paths in a part's program."""
    known = record_paths(code)

    def paths(node: MetadataNode | None) -> tuple[str, ...]:
        return _within(part, shown_paths(node, known) if node is not None else ())

    return paths


def _tables(
    shader: "DxContainer",
    code: Code,
    module: DxilModule,
    strict: bool,
    links: NodePaths | None = None,
) -> list[str]:
    """Return the lines before the module; lines of records are linked to the records.

    With `links`, lines of metadata are linked, too.
    """
    lines = _parts(shader, code)
    try:
        lines += _metadata(shader, module, links)
    except FormatError as error:
        if strict:
            raise
        lines.append(f"; the tables end here: {error}")
    return lines


def _parts(shader: "DxContainer", code: Code) -> list[str]:
    """Return the lines of parts other than the program."""
    lines: list[str] = []
    parts = {name: first_part(shader, name) for name in ("SFI0", "ILDN", "HASH", "PSV0")}
    if (part := parts["SFI0"]) is not None:
        lines += _linked("SFI0", feature_lines(int.from_bytes(part.data[:8], "little")))
    for title, name in SIGNATURES:
        part = first_part(shader, name)
        if part is not None and isinstance(part.value, ProgramSignature):
            lines += _linked(name, part_lines(title, part.value, name == "ISG1"))
    if (part := parts["ILDN"]) is not None:
        lines += _linked("ILDN", debug_name_lines(part))
    if (part := parts["HASH"]) is not None:
        lines += _linked("HASH", hash_lines(part))
    if (part := parts["PSV0"]) is not None:
        lines += _linked("PSV0", runtime_lines(part.data, code.kind))
    return lines


def _linked(part: str, lines: list[str]) -> list[str]:
    """Return lines about a part, linked to its fields."""
    return relinked(lines, lambda path: f"{part}.{path}")


def _metadata(shader: "DxContainer", module: DxilModule, links: NodePaths | None) -> list[str]:
    """Return the lines of metadata of the program and of STAT."""
    if module.named(VERSION) is None:
        return []
    info = read_shader(module)
    lines: list[str] = []
    if info.stage != "lib" and info.entry_points:
        signatures = info.entry_points[0].signatures
        mesh = info.stage == "ms"
        titles = ("Input", "Vertex Output", "Primitive Output") if mesh else PLAIN_TITLES
        for title, elements in zip(titles, signatures, strict=True):
            lines += metadata_lines(title, elements, links or no_paths)
    reflected = _reflection(shader)
    if reflected is not None:
        of_part, code, module = reflected
        info = read_shader(module)
        links = _links(of_part, code) if links is not None else None
    lines += _reflected(info, module, shader, links or no_paths)
    part = first_part(shader, "RDAT")
    if part is not None:
        lines += subobject_lines(part.data)
    return lines


def _reflected(
    info: DxilShader, module: DxilModule, shader: "DxContainer", paths: NodePaths
) -> list[str]:
    """Return the lines of metadata that may be in STAT."""
    limits = shader.limits
    entry = info.entry_points[0] if info.entry_points else None
    lines = buffer_lines(info, DataLayout(module.data_layout, limits), limits, paths)
    resources = entry.resources if entry is not None else info.resources
    lines += binding_lines(resources, _validated_resources(shader), paths)
    if module.named(VIEW_ID) is not None:
        uses = bool(entry is not None and entry.properties.flags & USES_VIEW_ID)
        lines += view_id_lines(info.view_id_state, info.stage, uses, limits)
    return lines


def _validated_resources(shader: "DxContainer") -> dict[tuple[int, int, int], str]:
    """Return the path of each resource of PSV0, by group, space and first register."""
    part = first_part(shader, "PSV0")
    if part is None or not isinstance(part.value, PipelineStateValidation):
        return {}
    found: dict[tuple[int, int, int], str] = {}
    for at, each in enumerate(part.value.resources):
        group = PSV_GROUPS.get(each.type)
        if group is not None:
            found.setdefault((group, each.space, each.lower_bound), f"PSV0.resources[{at}]")
    return found


def _reflection(shader: "DxContainer") -> "tuple[DxPart, Code, DxilModule] | None":
    """Return STAT, its program and its module; None if it cannot be read or does not suit."""
    part = copies(shader.parts, "STAT")
    if part is None:
        return None
    try:
        code = decoded(part, shader)
        return part, code, code.read_module()
    except UnshadeError:
        return None
