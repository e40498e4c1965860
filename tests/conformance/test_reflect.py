"""reflect() compared, row by row, with listings of the same files by the compilers' tools."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.corpus import containers
from tests.model.schema_check import violations
from tests.ratchet import Ratchet
from unshade import model
from unshade.formats.dxcontainer import DxContainer
from unshade.model import (
    BufferKind,
    ConstantBuffer,
    Reflection,
    Resource,
    ResourceKind,
    SignatureParameter,
    Stage,
    Variable,
)

# ---------------------------------------------------------------- listings' words for ours

SYSTEM_VALUES = {
    None: "NONE",
    "position": "POS",
    "clip_distance": "CLIPDST",
    "cull_distance": "CULLDST",
    "render_target_array_index": "RTINDEX",
    "viewport_array_index": "VPINDEX",
    "vertex_id": "VERTID",
    "primitive_id": "PRIMID",
    "instance_id": "INSTID",
    "is_front_face": "FFACE",
    "sample_index": "SAMPLE",
    "final_quad_edge_tessfactor": "QUADEDGE",
    "final_quad_inside_tessfactor": "QUADINT",
    "final_tri_edge_tessfactor": "TRIEDGE",
    "final_tri_inside_tessfactor": "TRIINT",
    "final_line_detail_tessfactor": "LINEDET",
    "final_line_density_tessfactor": "LINEDEN",
    "target": "TARGET",
    "depth": "DEPTH",
    "coverage": "COVERAGE",
    "depth_greater_equal": "DEPTHGE",
    "depth_less_equal": "DEPTHLE",
    "stencil_ref": "STENCILREF",
    "inner_coverage": "INNERCOV",
    "barycentrics": "BARYCEN",
    "shadingrate": "SHDINGRATE",
    "cullprimitive": "CULLPRIM",
}
FORMATS = {
    "float32": "float",
    "uint32": "uint",
    "sint32": "int",
    "float16": "fp16",
    "uint16": "uint16",
    "sint16": "int16",
    "float64": "double",
    "uint64": "uint64",
    "sint64": "int64",
}
PRECISIONS = {
    "float_16": "min16f",
    "float_2_8": "min2_8f",
    "sint_16": "min16i",
    "uint_16": "min16u",
}
SHAPES = {"buffer": "buf", "2dms": "2dMS", "2dmsarray": "2darrayMS"}

Row = tuple[str, ...]


def signature_rows(
    rows: list[SignatureParameter], dxc: bool, of: Reflection, which: str
) -> list[Row]:
    streams = any(row.stream for row in rows)
    # dxc takes the components that a domain shader reads of a patch for those never written
    inverted = dxc and of.stage == Stage.DOMAIN and which == "Patch Constant"
    return [signature_row(row, dxc, streams, inverted) for row in rows]


def signature_row(row: SignatureParameter, dxc: bool, streams: bool, inverted: bool) -> Row:
    name = f"m{row.stream}:{row.semantic}" if streams else row.semantic
    meaning = SYSTEM_VALUES.get(row.system_value, str(row.system_value))
    kind = FORMATS[row.component_type]
    if not dxc:
        kind = PRECISIONS.get(row.min_precision, kind)
    used = "".join(each for each in "xyzw" if (each in row.used) != inverted)
    if row.register is None:
        return f"{name} {row.index}", "N/A", meaning, kind, "YES" if used else "NO"
    return f"{name} {row.index}", f"{row.components} {row.register}", meaning, kind, used


def binding_row(row: Resource) -> Row:
    kind, form, shape = "UAV" if row.writable else "texture", "NA", "NA"
    if row.kind == ResourceKind.CONSTANT_BUFFER:
        kind = "cbuffer"
    elif row.kind == ResourceKind.TEXTURE_BUFFER:
        kind = "tbuffer"
    elif row.kind == ResourceKind.SAMPLER:
        kind = "sampler_c" if row.comparison else "sampler"
    elif row.kind == ResourceKind.STRUCTURED_BUFFER:
        form = "struct"
        access = {None: "r/w", "counter": "r/w+cnt"}.get(row.counter, str(row.counter))
        shape = access if row.writable else "r/o"
    elif row.kind == ResourceKind.RAW_BUFFER:
        form, shape = "byte", "r/w" if row.writable else "r/o"
    else:
        form = str(row.return_type) + (str(row.components) if (row.components or 1) > 1 else "")
        shape = SHAPES.get(str(row.dimension), str(row.dimension))
        shape += str(row.samples or "") if "ms" in str(row.dimension) else ""
    letter = "cb" if row.register_class == "b" else row.register_class
    space = f",space{row.space}" if row.space else ""
    total = "unbounded" if row.count is None else str(row.count)
    return row.name, kind, form, shape, f"{letter}{row.register}{space}", total


def variable_rows(buffer: ConstantBuffer) -> Iterator[Row]:
    for each in buffer.variables:
        yield from _member_rows(each)


def _member_rows(given: Variable) -> Iterator[Row]:
    kind = given.type
    size = (str(given.offset), str(given.size), "" if given.used else "unused")
    if kind.type_class == "struct":
        yield "}", given.type.declaration(given.name).removeprefix(kind.spelling()).strip(), *size
    elif kind.type_class == "interface_pointer":
        yield ("interface " + kind.declaration(given.name), *size)
    else:
        yield (kind.declaration(given.name), *size)
    if given.default is not None:
        raw = given.default
        yield ("=", *(f"0x{raw[i : i + 4][::-1].hex()}" for i in range(0, len(raw), 4)))


# ---------------------------------------------------------------- what a listing says

TITLE = re.compile(r"[/;]+ (Patch Constant|Input|Output) signature:$")
RULE = re.compile(r"[/;]+ [- ]+$")


def listed_signatures(lines: list[str]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    name = None
    for line in lines:
        title = TITLE.match(line)
        if title:
            name = title[1]
            found.setdefault(name, [])
        elif "InterpMode" in line:  # a second table with the same title
            name = None
        elif len(line) < 4 or line.startswith(("// no ", "; no ")):
            if len(line) >= 4 or (name and found[name]):
                name = None
        elif name and not RULE.match(line) and "SysValue" not in line:
            found[name].append(_listed_row(line))
    return found


def _listed_row(line: str) -> Row:
    row = line.lstrip("/;").replace("oStencilRef", " oStencilRef ")  # dxc leaves no blank there
    words = row.split()
    if "N/A" in words:
        return f"{words[0]} {words[1]}", "N/A", *words[-3:]
    # name index mask register system format used: mask and used may have gaps, used may be empty
    head = re.match(r" (\S+)\s+(\d+) ([ xyzw]*?) (\d+)\s+(\S+)\s+(\S+)(.*)$", row)
    assert head is not None, line
    name, index, mask, register, meaning, kind, used = head.groups()
    mask = mask.replace(" ", "")
    return f"{name} {index}", f"{mask} {register}", meaning, kind, used.replace(" ", "")


def listed_bindings(lines: list[str]) -> list[Row]:
    start = next((i for i, line in enumerate(lines) if line.startswith("// Resource Bind")), None)
    if start is None:
        return []
    old = "Elements" in lines[start + 2]
    rows: list[Row] = []
    for line in lines[start + 4 :]:
        words = line[2:].split()
        if not words:
            break
        name, kind, form, shape, *_, place, total = words
        if old:
            letter = {"cbuffer": "cb", "UAV": "u", "sampler": "s", "sampler_c": "s"}
            place = letter.get(kind, "t") + place
        total = "unbounded" if total == str(2**32 - 1) else total
        rows.append((name, kind, form, shape, place, total))
    return rows


MEMBER = re.compile(r"//   (\S.*?);\s*// Offset:\s*(\d+) Size:\s*(\d+)(?: \[(unused)\])?$")
VALUES = re.compile(r"//\s+=? ?((?:0x[0-9a-f]{8} ?)+)$")


def listed_variables(lines: list[str]) -> list[Row]:
    """Return the variables of every buffer with a place and a size, and their initial values."""
    rows: list[Row] = []
    for line in lines:
        if line.startswith("// Resource Bindings"):
            break
        member, values = MEMBER.match(line), VALUES.match(line)
        if member:
            text = member[1]
            last = ("}", text[1:].strip()) if text.startswith("}") else (text,)
            rows.append((*last, member[2], member[3], member[4] or ""))
        elif values:
            words = tuple(values[1].split())
            if "=" in line:
                rows.append(("=", *words))
            else:
                rows[-1] = (*rows[-1], *words)
    return rows


# ---------------------------------------------------------------- the figures


def shaders(corpus: Path) -> list[tuple[Path, DxContainer]]:
    return [(path, DxContainer.loads(path.read_bytes())) for path in containers(corpus)]


@pytest.fixture(scope="module")
def reflected(corpus: Path) -> list[tuple[Path, DxContainer, Reflection]]:
    return [(path, shader, shader.reflect()) for path, shader in shaders(corpus)]


def listing(path: Path, suffix: str) -> list[str] | None:
    found = path.with_suffix(suffix)
    return found.read_text("latin-1").splitlines() if found.exists() else None


def agreeing(ours: list[Row], theirs: list[Row]) -> int:
    """Return the number of rows that are equal in place; 0 if the lengths differ."""
    return (
        sum(a == b for a, b in zip(ours, theirs, strict=False)) if len(ours) == len(theirs) else 0
    )


def test_every_container(
    reflected: list[tuple[Path, DxContainer, Reflection]], ratchet: Ratchet
) -> None:
    schema = model.schema()
    valid = 0
    for path, _, found in reflected:
        problems = violations(found.to_dict(), schema)
        assert not problems, (path.name, problems[:3])
        valid += 1
        assert found.complete == (not found.notes)
    ratchet("reflect/containers", valid, len(reflected))


def test_signatures(
    reflected: list[tuple[Path, DxContainer, Reflection]], ratchet: Ratchet
) -> None:
    for suffix, figure in (
        (".asm", "reflect/signature-rows-fxc"),
        (".dxc110.txt", "reflect/signature-rows-dxc"),
    ):
        passed = total = 0
        for path, shader, found in reflected:
            lines = listing(path, suffix)
            if lines is None:
                continue
            listed = listed_signatures(lines)
            for name, parts, rows in (
                ("Input", ("ISGN", "ISG1"), found.inputs),
                ("Output", ("OSGN", "OSG5", "OSG1"), found.outputs),
                ("Patch Constant", ("PCSG", "PSG1"), found.patch_constants),
            ):
                theirs = listed.get(name, [])
                if not theirs and not shader.parts.all(*parts):
                    continue  # the rows are those of the program's metadata
                ours = signature_rows(rows, "dxc" in suffix, found, name)
                total += max(len(theirs), len(ours))
                passed += agreeing(ours, theirs)
        ratchet(figure, passed, total)


def test_bindings(reflected: list[tuple[Path, DxContainer, Reflection]], ratchet: Ratchet) -> None:
    passed = total = 0
    for path, _, found in reflected:
        lines = listing(path, ".asm")
        if lines is not None:
            theirs = listed_bindings(lines)
            ours = [binding_row(row) for row in found.resources if not row.declared]
            total += max(len(theirs), len(ours))
            passed += agreeing(ours, theirs)
    ratchet("reflect/binding-rows", passed, total)


def test_variables(reflected: list[tuple[Path, DxContainer, Reflection]], ratchet: Ratchet) -> None:
    passed = total = 0
    for path, _, found in reflected:
        lines = listing(path, ".asm")
        if lines is not None:
            theirs = listed_variables(lines)
            ours = [
                row
                for each in found.constant_buffers
                if not each.declared
                for row in variable_rows(each)
            ]
            total += max(len(theirs), len(ours))
            passed += agreeing(ours, theirs)
    ratchet("reflect/variable-rows", passed, total)


def test_layouts(reflected: list[tuple[Path, DxContainer, Reflection]], ratchet: Ratchet) -> None:
    """Sizes that follow from a type's strides are those that the compiler stated."""
    passed = total = 0
    for _, _, found in reflected:
        for buffer in found.constant_buffers:
            for variable in buffer.variables:
                if not variable.type.size:  # an interface
                    continue
                counts = zip(variable.type.elements, variable.type.strides, strict=True)
                size = sum((count - 1) * stride for count, stride in counts) + variable.type.size
                total += 1
                passed += size == variable.size
    ratchet("reflect/layouts", passed, total)


# ---------------------------------------------------------------- with names or without

NAMES = ("RDEF", "STAT", "IFCE", "SFI0")


def stripped(shader: DxContainer) -> Reflection:
    bare = copy.copy(shader)
    bare.parts = type(shader.parts)(part for part in shader.parts if part.name not in NAMES)
    return bare.reflect()


def covers(known: Resource, declared: Resource) -> bool:
    """Return whether a declaration agrees with a binding of RDEF."""
    if (known.register_class, known.space) != (declared.register_class, declared.space):
        return False
    end = None if known.count is None else known.register + known.count
    if declared.register < known.register or (end is not None and declared.register >= end):
        return False
    same: tuple[str, ...] = (
        "dimension",
        "return_type",
        "samples",
        "stride",
        "comparison",
        "writable",
    )
    if known.kind == ResourceKind.TEXTURE_BUFFER:  # declared as a buffer of something
        same = ("writable",)
    elif known.kind != declared.kind:
        return False
    if (known.counter is None) != (declared.counter is None):
        return False
    return all(getattr(known, name) == getattr(declared, name) for name in same)


def test_stripped(reflected: list[tuple[Path, DxContainer, Reflection]], ratchet: Ratchet) -> None:
    passed = total = 0
    for _, shader, full in reflected:
        if full.code != "tpf" or "RDEF" not in shader:
            continue
        total += 1
        bare = stripped(shader)
        alone = [each for each in full.resources if each.declared]
        known = [each for each in full.resources if not each.declared]
        fits = not alone and all(any(covers(a, b) for a in known) for b in bare.resources)
        fits &= all(any(covers(a, b) for b in bare.resources) for a in known)
        sizes = sum(b.declared_size or 0 for b in full.constant_buffers)
        fits &= sizes == sum(b.size for b in bare.constant_buffers)
        fits &= all(
            b.declared_size is None or b.declared_size <= b.size
            for b in full.constant_buffers
            if b.kind == BufferKind.CONSTANT_BUFFER
        )
        for name in (
            "stage",
            "model",
            "inputs",
            "outputs",
            "patch_constants",
            "builtins",
            "geometry",
            "thread_group",
            "tessellation",
            "sample_frequency",
            "temp_registers",
        ):
            same = getattr(full, name) == getattr(bare, name)
            fits &= same
        passed += fits
    ratchet("reflect/stripped", passed, total)


def test_features(reflected: list[tuple[Path, DxContainer, Reflection]], ratchet: Ratchet) -> None:
    """The program alone implies the features of SFI0, except the formats of typed loads."""
    passed = total = 0
    for _, shader, full in reflected:
        if full.code == "tpf":
            total += 1
            not_implied = {"TypedUAVLoadAdditionalFormats"}
            passed += set(full.features) - not_implied == set(stripped(shader).features)
    ratchet("reflect/features", passed, total)
