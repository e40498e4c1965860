"""Bound resources and their handles, as represented during lowering."""

from collections.abc import Mapping

from ....dataclass import dataclass
from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.lowered import Form, LoweredResource
from ....ir.memory import Memory
from ....ir.textures import SamplerDeclaration, TextureDeclaration
from ..shaderinfo import DxilResource

__all__ = ["BoundResource", "Handle", "HeapIndex", "ResourceObject"]


@dataclass(slots=True, eq=False)
class BoundResource:
    """A bound resource, with its counterpart in the kernel."""

    lowered: LoweredResource
    memory: Memory | None = None
    shape: Memory | None = None  # of a texture that is written
    counter: Memory | None = None
    texture: TextureDeclaration | None = None
    sampler: SamplerDeclaration | None = None

    @property
    def form(self) -> Form:
        return self.lowered.form

    @property
    def typed(self) -> bool:
        """True if its elements are texels."""
        return self.form in (Form.TYPED, Form.TEXTURE)

    @property
    def data(self) -> Memory:
        """The memory of the resource."""
        if self.memory is None:
            raise UnsupportedError(f"expected a buffer, got {self.lowered.name}")
        return self.memory

    @property
    def written(self) -> Memory:
        """The memory of the resource, for a write."""
        if not self.data.writable:
            raise UnsupportedError(f"expected a UAV to write to, got {self.lowered.name}")
        return self.data


@dataclass(frozen=True, slots=True)
class Handle:
    """A resource that is selected at run time: `which` is its key in `resources`."""

    resources: Mapping[int, BoundResource]
    which: Value

    @property
    def first(self) -> BoundResource:
        """A resource that the handle may select; all are of one kind."""
        return next(iter(self.resources.values()))


@dataclass(frozen=True, slots=True)
class ResourceObject:
    """A library's variable for a resource: its range, and the register."""

    resource: DxilResource
    index: Value


@dataclass(frozen=True, slots=True)
class HeapIndex:
    """A descriptor in a heap, of a kind that is not yet known."""

    index: Value
    samplers: bool
