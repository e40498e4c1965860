"""The stages of a pipeline: an entry point of a shader, its signature rows and their places.

    vs.cso   vertex   outputs   TEXCOORD1   o2.xy          OSGN.elements[2]     0x1f4
    a.spv    vertex   outputs   uv[1]       location 2 xy  instructions[53]     0x2b8

A stage that is linked by semantics (Direct3D) has the rows of the file's signatures. A stage that
is linked by locations (Vulkan) has the rows that its code declares.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import zip_longest

from ...errors import UnshadeError, UnsupportedError, UsageError
from ...formats import format_named
from ...model.facts import ProgramFacts, ProgramPort
from ...model.from_facts import reflection_of
from ...model.reflection import Reflection, SignatureParameter
from ...program import Program
from ...shader import Shader, has_code
from ...tuples import NamedTuple
from ...vocab.slots import Direction
from ...vocab.words import Stage
from .rules import PICA, SKIA, VULKAN

__all__ = [
    "BY_LOCATION",
    "ORDER",
    "PathOffsets",
    "PipelinePlace",
    "PipelineStage",
    "StageRow",
    "stages_of",
]

ORDER: Sequence[str] = (
    Stage.AMPLIFICATION, Stage.MESH, Stage.VERTEX, Stage.HULL, Stage.DOMAIN, Stage.GEOMETRY,
    Stage.PIXEL, Stage.COMPUTE,
)  # fmt: skip
IN_VULKAN: Mapping[str, str] = {
    Stage.HULL: "tessellation control",
    Stage.DOMAIN: "tessellation evaluation",
    Stage.PIXEL: "fragment",
    Stage.AMPLIFICATION: "task",
}
BY_LOCATION = (VULKAN, SKIA)  # APIs that match the declarations of the code by location
LETTERS = {"inputs": "v", "outputs": "o", "patch_constants": "vpc"}


class PipelinePlace(NamedTuple):
    """A place in a file of a pipeline; `offset` is None if there is no single location."""

    stage: str
    file: str
    path: str = ""
    offset: int | None = None

    def __str__(self) -> str:
        where = "" if self.offset is None else f" at 0x{self.offset:x}"
        return f"{self.file}{where}{' ' if self.path else ''}{self.path}"

    def to_dict(self) -> dict[str, object]:
        """Return plain data."""
        return self._asdict()


class StageRow(NamedTuple):
    """A row of a stage's signature."""

    stage: "PipelineStage"
    field: str  # of the reflection
    row: SignatureParameter
    path: str
    port: ProgramPort | None = None  # of which it is made, in a stage that is linked by locations

    @property
    def name(self) -> str:
        """The semantic with its index: TEXCOORD1; or the name in the source: uv[1]."""
        if not self.row.by_register:
            return f"{self.row.semantic}{self.row.index or ''}"
        return f"{self.row.semantic}[{self.row.index}]" if self.row.index else self.row.semantic

    @property
    def is_of_patch(self) -> bool:
        """True for a row of the patch constants."""
        return self.field == "patch_constants"

    @property
    def where(self) -> str:
        """The register and mask: o2.xy; the location and components: location 2 xy."""
        if self.stage.api == PICA:
            return f"{LETTERS[self.field]}{self.row.register}.{self.row.components}"
        if self.row.register is None:
            return "no register" if not self.row.by_register else f"built-in {self.row.semantic}"
        if self.row.by_register or self.stage.api in BY_LOCATION:
            return f"location {self.row.register} {self.row.components}"
        return f"{LETTERS[self.field]}{self.row.register}.{self.row.components}"

    @property
    def place(self) -> PipelinePlace:
        """The place of the row in its file."""
        return self.stage.place(self.path)


class PipelineStage:
    """A stage of a pipeline: an entry point of a shader.

    Attributes:
        shader: The shader.
        name: The name of its file, for findings.
        entry: The name of the entry point.
        stage: The stage, a word of `Stage`.
        api: The API of its pipelines: direct3d, vulkan, pica200 or skia.
    """

    def __init__(
        self, shader: Shader, program: Program, entry: str, stage: str, name: str = ""
    ) -> None:
        self.shader = shader
        self.program = program
        self.entry = entry
        self.stage = str(stage)
        self.name = name or f"the {stage} shader"
        self.api = format_named(shader.format).pipelines
        self._offsets = PathOffsets(shader)

    def __repr__(self) -> str:
        return f"<PipelineStage {self.stage}: {self.name}>"

    @property
    def title(self) -> str:
        """The name of the stage in messages of its API: Pixel Shader, fragment shader."""
        if self.api in BY_LOCATION:
            return f"{IN_VULKAN.get(self.stage, self.stage)} shader"
        if self.api == PICA:
            return f"{self.stage} shader"
        return f"{self.stage} shader".title()

    @cached_property
    def facts(self) -> ProgramFacts:
        """The facts of the entry point in its code."""
        return self.program.facts(self.entry)

    @cached_property
    def reflection(self) -> Reflection:
        """The reflection of the entry point."""
        if self.api == VULKAN:
            return reflection_of(self.facts, self.shader.format)
        found = self.shader.reflect()
        several = [each for each in found.entry_points if each.entry_point == self.entry]
        return several[0] if several else found

    def rows(self, field: str) -> Sequence[StageRow]:
        """Return the rows of a signature: inputs, outputs or patch_constants."""
        found: Sequence[SignatureParameter] = getattr(self.reflection, field)
        if not found:
            return ()
        paths = self.shader.row_paths(self.program, self.entry, field)
        ports: Sequence[ProgramPort] = getattr(self.facts, field) if self.api in BY_LOCATION else ()
        return [
            StageRow(self, field, row, path or "", port)
            for row, path, port in zip_longest(found, paths[: len(found)], ports)
        ]

    def interface(self, direction: Direction) -> list[StageRow]:
        """Return the rows of the stage's inputs or outputs, also of a patch or primitive."""
        found = [*self.rows("inputs" if direction is Direction.INPUT else "outputs")]
        more = self.rows("patch_constants")
        if self.api in BY_LOCATION:
            found += [each for each in more if each.port and each.port.slot.direction is direction]
        elif (self.stage == Stage.DOMAIN) == (direction is Direction.INPUT):
            found += more
        return found

    def place(self, path: str = "") -> PipelinePlace:
        """Return a place in the file.

        Args:
            path: A path in `spans`, or of a group of fields.
        """
        return PipelinePlace(self.stage, self.name, path, self._offsets.of(path) if path else None)


class PathOffsets:
    """The offsets of the fields of a shader; computed for a part on the first look-up in it."""

    def __init__(self, shader: Shader) -> None:
        self._shader = shader
        self._known: dict[str, dict[str, int]] = {}

    def of(self, path: str) -> int | None:
        """Return the offset of the first field at or below a path; None if there is none."""
        part = path.partition(".")[0] if self._shader.parts else ""
        if part not in self._known:
            found = self._known[part] = {}
            with suppress(UnshadeError):  # of a text that no file can hold
                spans = self._shader.spans_below(part) if part else self._shader.spans()
                for span in spans:
                    for prefix in _prefixes(span.path):
                        found.setdefault(prefix, span.offset)
        return self._known[part].get(path)


def _prefixes(path: str) -> Iterator[str]:
    """Yield a path and the paths of the groups that it is in."""
    yield path
    for at, letter in enumerate(path):
        if letter in ".[" and at:
            yield path[:at]


def stages_of(shader: Shader, name: str = "", entry: str | None = None) -> list[PipelineStage]:
    """Return the stages that a shader has, in the order of the pipeline.

    Args:
        shader: The shader: a container, a module, a file of several programs.
        name: The name of its file, for findings.
        entry: The entry point to use; all by default.

    Raises:
        UnsupportedError: Programs of the format are not stages that can be linked.
        UsageError: The shader has no code, or no such entry point, or several of one stage.
    """
    label = name or "the shader"
    if not format_named(shader.format).pipelines:
        raise UnsupportedError(f"{label}: {shader.format} programs are not linked to pipelines")
    if not has_code(shader):
        raise UsageError(f"{label}: expected a shader with code")
    found = [
        PipelineStage(shader, program, at, stage, name)
        for program in shader.programs
        for at, stage in program.entry_points
        if entry is None or at == entry
    ]
    is_library = entry is None and len(found) > 1 and shader.identity().stage == Stage.LIBRARY
    seen: dict[str, PipelineStage] = {}
    for each in found:
        other = seen.setdefault(each.stage, each)
        if is_library or (other is not each and other.program is each.program):
            names = ", ".join(one.entry for one in found if is_library or one.stage == each.stage)
            raise UsageError(f"{label}: expected the name of an entry point: {names}")
    if not seen:
        if entry is None:
            raise UsageError(f"{label}: expected a shader with an entry point")
        known = ", ".join(at for each in shader.programs for at, _ in each.entry_points)
        raise UsageError(f"{label}: no entry point {entry!r:.40}: {known or 'it has none'}")
    return sorted(seen.values(), key=_order)


def _order(each: PipelineStage) -> int:
    return ORDER.index(each.stage) if each.stage in ORDER else len(ORDER)
