"""Rules of metadata: versions, entry points, signatures, resources."""

from collections import Counter
from collections.abc import Iterable
from math import prod

from ....errors import FormatError
from ....vocab.d3d import ShaderKind
from ..code import Code
from ..model.module import DxilModule
from ..shaderinfo import (
    DxilResource,
    DxilShader,
    DxilSignatureElement,
    EntryProperties,
    read_shader,
)
from ..shaderinfo.fields import Fields, named_nodes
from .reports import Reports

__all__ = ["check_metadata"]

REQUIRED = ("dx.version", "dx.shaderModel", "dx.entryPoints")


MOST_THREADS, MOST_Z, MOST_MESH_THREADS = 1024, 64, 128
WAVES = (4, 8, 16, 32, 64, 128)
WAVE_TAGS = {11, 23}  # one size, a range
WAVE_RANGES = 6, 8  # the shader model since which the sizes of waves are a range


def check_metadata(code: Code, module: DxilModule, reports: Reports) -> DxilShader | None:
    """Check the metadata, and compare it with the header; return it if it can be read."""
    missing = [each for each in REQUIRED if module.named(each) is None]
    for name in missing:
        reports.add("dxil.metadata", f"no metadata {name!r}", name)
    try:
        shader = read_shader(module)
    except FormatError as error:
        reports.add("dxil.metadata", error.problem, error.path)
        return None
    if not missing:
        _versions(code, shader, reports)
    for number, fields in enumerate(named_nodes(module, "dx.entryPoints")):
        _tags(fields, f"dx.entryPoints[{number}]", reports)
    known = set(module.globals)
    for number, entry in enumerate(shader.entry_points):
        path = f"dx.entryPoints[{number}]"
        if entry.function is None:
            if shader.stage != "lib" or entry.name:
                reports.add("dxil.entry", f"no function for {entry.name!r}", path)
        elif entry.function not in known:
            reports.add("dxil.entry", f"no function for {entry.name!r}", path)
        _threads(entry.properties, path, reports)
        _waves(code, entry.properties, path, reports)
        signatures = entry.signatures
        for name, elements in zip(signatures._fields, signatures, strict=True):
            _signature(elements, f"{path}.{name}", reports)
        if shader.stage != "lib":
            for name, group in zip(entry.resources._fields, entry.resources, strict=True):
                _ranges(group, f"{path}.{name}", reports)
    return shader


def _tags(entry: Fields, path: str, reports: Reports) -> None:
    """Check that each property of an entry point is stated once."""
    properties = entry.node_or_none(4)
    if properties is None:
        return
    counts = Counter(tag for tag, _ in properties.tags())
    for tag, count in counts.items():
        if count > 1:
            reports.add("dxil.metadata", f"{count} properties with the tag {tag}", path)
    if counts.keys() >= WAVE_TAGS:
        reports.add("dxil.waves", "expected one size or a range, got both", path)


def _threads(properties: EntryProperties, path: str, reports: Reports) -> None:
    """Check the size of a thread group."""
    meshes = [each for each in (properties.mesh, properties.amplification) if each is not None]
    most = MOST_MESH_THREADS if meshes else MOST_THREADS
    limits = (most, most, min(MOST_Z, most))
    for threads in (properties.threads, *(each.threads for each in meshes)):
        outside = any(not 0 < each <= limit for each, limit in zip(threads, limits, strict=False))
        if threads and (outside or prod(threads) > most):
            size = " x ".join(map(str, threads))
            wanted = " x ".join(map(str, limits))
            message = f"expected at most {wanted} threads and {most} in all, got {size}"
            reports.add("dxil.threads", message, path)


def _waves(code: Code, properties: EntryProperties, path: str, reports: Reports) -> None:
    """Check the sizes of waves."""
    sizes = properties.wave_size
    if not sizes:
        return
    problem = ""
    kind = code.kind if properties.shader_kind is None else properties.shader_kind
    if kind not in (ShaderKind.COMPUTE, ShaderKind.NODE):
        problem = "expected no size of waves but in compute shaders and nodes"
    elif len(sizes) not in (1, 3):
        problem = f"expected 1 or 3 numbers, got {len(sizes)}"
    elif (len(sizes) == 3) != (code.shader_model >= WAVE_RANGES):
        problem = "expected a range of sizes since shader model 6.8, one size before"
    else:
        problem = _wrong_waves(*sizes)
    if problem:
        reports.add("dxil.waves", problem, path)


def _wrong_waves(least: int, most: int = 0, preferred: int = 0) -> str:
    """Return what is wrong with sizes of waves, or nothing; most and preferred may be 0."""
    for each in filter(None, (least, most, preferred)):
        if each not in WAVES:
            return f"expected a power of two from 4 to 128, got {each}"
    if not least and (most or preferred):
        return "expected no size, since the least is 0"
    if not most and preferred:
        return f"expected no preferred size without a range, got {preferred}"
    if most and most < least:
        return f"expected at least {least} as the most, got {most}"
    if preferred and not least <= preferred <= most:
        return f"expected a preferred size from {least} to {most}, got {preferred}"
    return ""


def _versions(code: Code, shader: DxilShader, reports: Reports) -> None:
    kind = code.kind
    stage = kind.profile if isinstance(kind, ShaderKind) else str(kind)
    if stage != shader.stage:
        message = f"stage {stage} in the header, {shader.stage} in metadata"
        reports.add("dxil.version", message, "version")
    if code.shader_model != shader.shader_model:
        message = (
            f"shader model {code.shader_model} in the header, {shader.shader_model} in metadata"
        )
        reports.add("dxil.version", message, "version")
    version = code.dxil_version >> 8, code.dxil_version & 0xFF
    if version != shader.version:
        message = f"DXIL {version} in the header, {shader.version} in metadata"
        reports.add("dxil.version", message, "dxil_version")


def _signature(elements: Iterable[DxilSignatureElement], path: str, reports: Reports) -> None:
    """Check that elements of a stream do not share components."""
    taken: dict[tuple[int, int, int], str] = {}
    for number, each in enumerate(elements):
        if each.start_row < 0:
            continue
        label = f"{each.name}{each.indices[0] if each.indices else ''}"
        for row in range(each.start_row, each.start_row + min(each.rows, 32)):
            for column in range(each.start_column, each.start_column + min(each.columns, 4)):
                other = taken.setdefault((each.stream, row, column), label)
                if other is not label:
                    message = f"{label} and {other} share component {column} of register {row}"
                    reports.add("dxil.signature", message, f"{path}[{number}]")
                    return


def _ranges(group: Iterable[DxilResource], path: str, reports: Reports) -> None:
    """Check that resources of a class do not share registers."""
    found = sorted(
        (each.space, each.lower, each.lower + max(each.registers, 1), each.id, each.name)
        for each in group
    )
    furthest = -1, 0  # space and end of the range that ends last
    other = ""
    for space, lower, upper, number, name in found:
        label = name or f"resource {number}"
        if space == furthest[0] and lower < furthest[1]:
            message = f"{label} and {other} share register {lower}, space {space}"
            reports.add("dxil.range", message, f"{path}[{number}]")
        if (space, upper) > furthest:
            furthest, other = (space, upper), label
