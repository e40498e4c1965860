"""State objects of Direct3D 12: shaders of libraries that subobjects join.

    raygeneration  trace  payload of 16 bytes ──►  hit group glass   closesthit shade  takes 16
    configuration  payloads of at most 16 bytes    miss sky                            takes 12

A state object consists of exports: entry points of libraries and of other state objects, under the
names that it gives them. Stages that are not linked by signatures are linked by these names, by the
sizes of payloads and records, and by root signatures.

Source: DirectX-Specs, Raytracing (State objects, Subobject association, Payload) and WorkGraphs;
published logs of the debug layer (sentences of #1194).
"""

from collections import deque
from collections.abc import Iterator, Sequence

from ...errors import LimitError, UsageError
from ...formats import format_named, open_nested
from ...model.stateobjects import ExportedName, StoredStateObject
from ...shader import Shader
from .bindings import check_bindings_of
from .exports import ExportedShader, ObjectExports
from .findings import PipelineFindings, PipelineReport
from .graphs import check_graphs
from .rays import check_rays
from .roots import GivenRootSignature, root_signature_of
from .rules import VULKAN
from .stages import PipelineStage

__all__ = ["StateObject", "StoredObjectOpener", "object_of", "stored_objects"]

RUNTIME = "d3d12"


class StateObject:
    """A state object: shaders of libraries, and the subobjects that join them.

    Attributes:
        contents: The shaders and subobjects.
    """

    def __init__(self, contents: ObjectExports) -> None:
        self.contents = contents

    @property
    def name(self) -> str:
        """The name of the state object, for reports."""
        return self.contents.name

    @property
    def stages(self) -> Sequence[PipelineStage]:
        """The shaders, in the order of the libraries."""
        return [each.stage for each in self.contents.exports]

    def check(self) -> PipelineReport:
        """Return the violations of the rules of state objects."""
        apis = {each.api for each in self.stages}
        found = PipelineFindings(VULKAN if VULKAN in apis else RUNTIME)
        _check_exports(found, self.contents)
        check_rays(found, self.contents)
        check_graphs(found, self.contents)
        check_bindings_of(found, self.contents)
        _check_programs(found, self.contents)
        return found.found


def _check_exports(found: PipelineFindings, object: ObjectExports) -> None:
    for name in object.missing:
        message = f"the export {name!r:.80} is in no library"
        found.add("object.export", message, object.place())
    seen: dict[str, ExportedShader] = {}
    for each in object.exports:
        other = seen.setdefault(each.name, each)
        if other is not each:
            message = f"the export {each.shown!r:.80} is defined twice"
            found.add("object.twice", message, each.stage.place(), other.stage.place())
    names = {each.name for each in object.described.hit_groups}
    names |= {each.name for each in object.described.programs}
    for association in object.described.associations:
        for name in association.exports:
            if name not in names and object.named(name) is None and object.is_whole:
                message = f"{association.subobject} is associated with {name!r:.80}"
                found.add("object.export", f"{message}, which is no export", object.place())


def _check_programs(found: PipelineFindings, object: ObjectExports) -> None:
    """Check generic programs as pipelines."""
    from . import Pipeline
    from .stored import stored_state

    for each in object.described.programs:
        stages = []
        for name in each.exports:
            export = object.named(name)
            if export is None:
                message = f"the program {each.name!r:.80} has {name!r:.80}, which is no export"
                found.add("object.export", message, object.place())
            else:
                stages.append(export.stage)
        if stages:
            pipeline = Pipeline(*stages, state=stored_state(each.state), name=object.name)
            found.found += pipeline.check()


# -- of files ------------------------------------------------------------------------------------


def stored_objects(shader: Shader, name: str = "") -> "Iterator[StoredObjectOpener]":
    """Yield the state objects that a file describes, each to be opened with its shaders.

    Args:
        shader: A State Object Database, or a library with subobjects.
        name: The name of the file, for findings.
    """
    libraries = _Libraries(shader, name or shader.format)
    for each in shader.state_objects:
        yield StoredObjectOpener(each, libraries)


class StoredObjectOpener:
    """A state object that a file describes; opening it opens its libraries.

    Attributes:
        name: The name of the file, and the key by which the application asks for the object.
    """

    def __init__(self, stored: StoredStateObject, libraries: "_Libraries") -> None:
        key = stored.group or stored.key
        self.name = f"{libraries.name}!{key}" if key else libraries.name
        self._stored = stored
        self._libraries = libraries

    def open(self) -> StateObject:
        """Return the state object.

        Raises:
            UsageError: The file does not contain a library that the object names.
            FormatError: A library or root signature is malformed.
        """
        return self._libraries.opened(self._stored, self.name)


def object_of(
    files: Sequence[tuple[Shader, str]],
    *,
    root_signature: GivenRootSignature | None = None,
    name: str = "",
) -> StateObject:
    """Return the state object of libraries: their shaders and subobjects together.

    Args:
        files: The libraries, and the names of their files.
        root_signature: The global root signature; by default the one that a subobject defines.
        name: The name of the state object, for reports.
    """
    described = StoredStateObject(key="", type="collection")
    exports: list[ExportedShader] = []
    roots: dict[str, GivenRootSignature] = {}
    for shader, file in files:
        libraries = _Libraries(shader, file)
        exports += _exports_of(shader, file)
        for each in shader.state_objects:
            if each.type != described.type:
                described.type = each.type
            _add(described, each)
            roots |= libraries.roots(each)
    if root_signature is not None:
        described.global_root_signatures = [root_signature.name]
        described.associations = [
            each for each in described.associations if each.subobject not in roots
        ]
        roots[root_signature.name] = root_signature
    name = name or " + ".join(file for _, file in files)
    return StateObject(ObjectExports(name, described, exports, roots=roots))


LISTS = (
    "global_root_signatures", "local_root_signatures", "hit_groups", "shader_configs",
    "pipeline_configs", "associations", "programs", "work_graphs",
)  # fmt: skip


def _add(described: StoredStateObject, other: StoredStateObject) -> None:
    """Add the subobjects of another state object to a description."""
    for field in LISTS:
        getattr(described, field).extend(getattr(other, field))


def _exports_of(shader: Shader, name: str) -> list[ExportedShader]:
    """Return the entry points of a library."""
    found = []
    for program in shader.programs:
        for entry, stage in program.entry_points:
            known, plain = entry, program.source_name(entry)
            if format_named(shader.format).pipelines == VULKAN:
                known = plain = f"{name} {entry}"  # entry points of modules may be alike
            aliases = () if plain == known else (plain,)
            stage_of = PipelineStage(shader, program, entry, stage, name)
            found.append(ExportedShader(known, stage_of, aliases))
    return found


class _Libraries:
    """The libraries of a file, each opened once."""

    def __init__(self, shader: Shader, name: str) -> None:
        self.shader = shader
        self.name = name
        self._opened: dict[str, list[ExportedShader]] = {}
        self._functions: dict[str, set[str]] = {}
        self._objects: dict[str, StoredStateObject] | None = None

    def _library(self, key: str) -> list[ExportedShader]:
        if key not in self._opened:
            if not key:
                library, name = self.shader, self.name
            else:
                data = self.shader.pipeline_file(key)
                if data is None:
                    raise UsageError(f"library: expected the key of a shader, got {key}")
                library, name = open_nested(data), f"{self.name}!{key}"
            self._opened[key] = _exports_of(library, name)
            self._functions[key] = {
                one for program in library.programs for each in program.exports
                for one in (each, program.source_name(each))
            }  # fmt: skip
        return self._opened[key]

    def _object(self, key: str) -> StoredStateObject | None:
        if self._objects is None:
            self._objects = {each.key: each for each in self.shader.state_objects}
        return self._objects.get(key)

    def roots(self, stored: StoredStateObject) -> dict[str, GivenRootSignature]:
        """Return the root signatures of a state object by key."""
        found = {}
        for key in (*stored.global_root_signatures, *stored.local_root_signatures):
            data = self.shader.pipeline_file(key)
            if data is None:
                raise UsageError(f"root signature: expected a key, got {key}")
            found[key] = root_signature_of(data, f"{self.name}!{key}")
        return found

    def _inside(
        self, stored: StoredStateObject
    ) -> "Iterator[tuple[StoredStateObject, list[ExportedName]]]":
        """Yield the state objects that one contains or adds to, with the exports that it takes."""
        inside = [(one.key, one.exports) for one in stored.collections]
        if stored.parent is not None:
            inside.append((stored.parent, []))
        for key, exports in inside:
            found = self._object(key)
            if found is None:
                raise UsageError(f"collection: expected the key of a state object, got {key}")
            yield found, exports

    def opened(self, stored: StoredStateObject, name: str) -> StateObject:
        """Return a state object with its libraries, and all that it contains.

        What several of its state objects contain counts once, with the exports that each takes.
        """
        whole = StoredStateObject(
            key=stored.key, type=stored.type, flags=stored.flags, group=stored.group
        )
        exports: list[ExportedShader] = []
        missing: list[str] = []
        roots: dict[str, GivenRootSignature] = {}
        own: dict[str, list[ExportedShader]] = {}  # of libraries, by state object
        waiting: deque[tuple[StoredStateObject, list[ExportedName]]] = deque([(stored, [])])
        taken: dict[str, list[ExportedShader]] = {}  # of those, by state object
        limit = self.shader.limits.parts
        while waiting:
            each, wanted = waiting.popleft()
            if each.key not in own:
                if len(own) == limit:
                    raise LimitError("parts", limit, "more state objects in a state object")
                _add(whole, each)
                roots |= self.roots(each)
                own[each.key] = []
                for library in each.libraries:
                    known = self._library(library.key)
                    chosen, absent = _chosen(known, library.exports)
                    functions = self._functions[library.key]
                    missing += [one for one in absent if one not in functions]
                    own[each.key] += chosen
                waiting += self._inside(each)
            elif each.key == stored.key:
                continue
            before = taken.setdefault(each.key, [])
            more = [one for one in _chosen(own[each.key], wanted)[0] if one not in before]
            before += more
            exports += more
        is_whole = stored.type != "collection"
        return StateObject(
            ObjectExports(name, whole, exports, missing=missing, roots=roots, is_whole=is_whole)
        )


def _chosen(
    known: Sequence[ExportedShader], wanted: Sequence[ExportedName]
) -> tuple[list[ExportedShader], list[str]]:
    """Return the exports that are listed, under their new names, and the names of missing ones."""
    if not wanted:
        return list(known), []
    found, missing = [], []
    for each in wanted:
        source = each.renamed_from or each.name
        exports = [one for one in known if one.is_named(source)]
        found += [ExportedShader(each.name, one.stage) for one in exports]
        if not exports:
            missing.append(source)
    return found, missing
