"""The shaders of a state object under the names that it gives them, and its subobjects.

library saxpy6.dxil   exports scale, renamed from main      scale  ──►  its entry point
hit group glass       closest-hit shader scale
association           config "small" with glass             holds for scale
"""

from collections.abc import Iterator, Mapping, Sequence

from ...model.stateobjects import StoredHitGroup, StoredStateObject
from ...tuples import NamedTuple
from .roots import GivenRootSignature
from .stages import PipelinePlace, PipelineStage

__all__ = ["ExportedShader", "ObjectExports"]


class ExportedShader(NamedTuple):
    """A shader of a state object, under the name that the state object gives it."""

    name: str
    stage: PipelineStage
    aliases: tuple[str, ...] = ()  # the name in the source, of a mangled name

    def is_named(self, name: str) -> bool:
        """Return True if a subobject may mean the shader by this name."""
        return name == self.name or name in self.aliases

    @property
    def shown(self) -> str:
        """The name for messages: the name in the source if there is one."""
        return self.aliases[0] if self.aliases else self.name


class ObjectExports:
    """The shaders of a state object, and the subobjects that join them.

    Attributes:
        name: The name of the state object, for reports.
        described: The subobjects.
        exports: The shaders.
        missing: Names of exports that no library has.
        roots: The root signatures, by key or name.
        is_whole: False for shaders that other subobjects may join, such as a collection.
    """

    def __init__(
        self,
        name: str,
        described: StoredStateObject,
        exports: Sequence[ExportedShader],
        *,
        missing: Sequence[str] = (),
        roots: Mapping[str, GivenRootSignature] | None = None,
        is_whole: bool = True,
    ) -> None:
        self.name = name
        self.described = described
        self.exports = exports
        self.missing = missing
        self.roots = dict(roots or {})
        self.is_whole = is_whole

    @property
    def stages(self) -> Sequence[PipelineStage]:
        """The shaders, in the order of the libraries."""
        return [each.stage for each in self.exports]

    def named(self, name: str) -> ExportedShader | None:
        """Return the shader of a name, or None."""
        return next((each for each in self.exports if each.is_named(name)), None)

    def group_of(self, export: ExportedShader) -> Iterator[StoredHitGroup]:
        """Yield the hit groups that a shader belongs to."""
        for each in self.described.hit_groups:
            imports = (each.any_hit, each.closest_hit, each.intersection)
            if any(name is not None and export.is_named(name) for name in imports):
                yield each

    def associated(self, export: ExportedShader, keys: Sequence[str]) -> list[str]:
        """Return the given subobjects that are associated with a shader.

        An association without exports, or of a subobject that has none, is the default, which
        holds for shaders without an association of their own.
        """
        names = {each.name for each in self.group_of(export)}
        own, default, used = [], [], set()
        for each in self.described.associations:
            if each.subobject not in keys:
                continue
            used.add(each.subobject)
            if not each.exports:
                default.append(each.subobject)
            elif any(export.is_named(one) or one in names for one in each.exports):
                own.append(each.subobject)
        unused = [each for each in keys if each not in used]
        return list(dict.fromkeys(own or default or unused))

    def place(self) -> PipelinePlace:
        """Return the state object as the place of a finding."""
        return PipelinePlace("", self.name)
