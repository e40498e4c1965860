"""Programs in the cache: the parts of a kernel that are needed before its code is examined.

    entry of a program     its declarations and bindings; its reflection
    entry of its code      declarations and traits of the kernel prepared for the bound states
    entry of a layout      machine code (vm/jit/engine.py)

All three are needed to call a kernel without lowering it. Programs are stored when there is machine
code. A program is identified by the bytes of the whole file, since names and layouts are in other
parts; for an edited shader, by the bytes that `save` would write. A program without bytes, such as
SkSL that calls children, is not stored.
"""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from copy import deepcopy
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .. import model
from ..dataclass import replace
from ..errors import UnshadeError
from ..ir.kernel import KernelIR
from ..ir.lowered import Form, Lowered, LoweredResource, Points
from ..ir.memory import Bounds, Memory, Port, Space
from ..ir.parameters import FunctionParameter, ValueLayout, ValueMember
from ..ir.specialisation import Specialisation
from ..ir.textures import SamplerDeclaration, Shape, TextureDeclaration
from ..ir.types import Type
from ..model import Reflection
from ..vm.prepared import KernelTraits, PreparedKernel, declarations
from ..vocab import slots, words
from ..vocab.printf import PrintArgument, PrintFormat
from .binding.bindings import Binding

if TYPE_CHECKING:
    from ..ir.library.sampling import SamplerState, TextureState
    from ..shader import Shader
    from ..vm.jit.cache import Codec

__all__ = ["StoredProgram", "stored_program"]

Opened = tuple[Lowered, Reflection | None]


# The classes of what is stored of a program and of its code.
CLASSES: tuple[type, ...] = (
    Lowered, LoweredResource, Form, Points, KernelIR, Memory, Space, Bounds, Port, Type,
    TextureDeclaration, SamplerDeclaration, Shape, FunctionParameter, ValueLayout, ValueMember,
    Specialisation, KernelTraits, Binding,
    slots.Direction, slots.Rate, slots.ResourceClass, slots.MemoryPart, slots.Exchange,
    slots.PortPart, slots.PortSlot, slots.PointsSlot, slots.ResourceSlot,
    words.Stage, words.ComponentType, words.MinPrecision, words.SystemValue, words.Interpolation,
    words.ResourceKind, words.DescriptorType, words.Dimension, words.ReturnType, words.Counter,
    words.BufferKind, words.BlockLayout, words.TypeClass, words.Primitive, words.GeometryMode,
    words.Topology, words.Domain, words.Partitioning, words.OutputPrimitive, words.NodeLaunchMode,
    PrintFormat, PrintArgument,
    Reflection, model.SignatureParameter, model.Resource, model.ConstantBuffer, model.Variable,
    model.TypeDescription, model.Member, model.Statistics, model.Geometry, model.Tessellation,
    model.MeshShading, model.RayTracing, model.NodePort, model.WorkGraphNode,
    model.SpecialisationConstant, model.TempArray, model.SharedMemory,
    model.Interfaces, model.InterfaceSlot, model.InterfaceClass, model.InterfaceInstance,
    model.ShaderHash, model.RootSignature, model.RootParameter, model.RootRange,
    model.StaticSampler,
)  # fmt: skip


@lru_cache(maxsize=1)
def codec() -> "Codec":
    """Return the form in which programs are stored."""
    from ..vm.jit.cache import Codec

    return Codec(*CLASSES)


class StoredProgram:
    """A program of a shader, by the name of its entry in the cache.

    `declared` and `bindings` are None until there is an entry.
    """

    def __init__(self, stored_as: str, lower: Callable[[], Opened]) -> None:
        self.stored_as = stored_as
        self.declared: Lowered | None = None
        self.bindings: list[Binding] | None = None
        self._lower = lower
        self._reflection = b""
        self.read()

    def read(self) -> None:
        """Read the entry of the program."""
        from ..vm.jit import cache

        found = cache.read(self.stored_as)
        if found is not None:
            self.declared, self.bindings = codec().unpacked(found[0])
            self._reflection = found[1]

    def opened(self) -> Opened:
        """Lower the program after all."""
        return self._lower()

    def reflection(self) -> Reflection | None:
        """Return the stored reflection."""
        found: Reflection | None
        (found,) = codec().unpacked(self._reflection)
        return found

    def store(
        self, lowered: Lowered, bindings: list[Binding], reflection: Reflection | None
    ) -> None:
        """Store the entry of the program."""
        from ..vm.jit import cache

        declared = replace(
            lowered, kernel=declarations(lowered.kernel), lines=[], sources={},
            labels=dict(lowered.labels),
        )  # fmt: skip
        cache.write(self.stored_as, codec(), (declared, bindings), (reflection,))
        self.declared, self.bindings = declared, bindings

    def code(
        self,
        textures: Iterable[tuple[Hashable, "TextureState"]],
        samplers: Iterable[tuple[Hashable, "SamplerState"]],
        make: Callable[[], KernelIR],
        store: Callable[[], None],
    ) -> KernelIR:
        """Return the kernel for some states, without its body if the cache holds it.

        Args:
            textures: States of textures.
            samplers: States of samplers.
            make: Returns the prepared kernel.
            store: Stores the entry of the program.
        """
        from ..vm.jit import cache

        try:
            name = cache.name_of("code", self.stored_as, textures, samplers)
        except cache.NoIdentityError:
            return make()
        found = cache.read(name)
        if found is not None:
            declared, traits = codec().unpacked(found[0])
            made = PreparedKernel.of(declared, name, make, traits)
            if self.declared is None:
                made.store = store
            return made
        made = PreparedKernel.of(make(), name)

        def store_code() -> None:
            cache.write(name, codec(), (declarations(made), made.traits))
            store()

        made.store = store_code
        return made


def stored_program(
    shader: "Shader",
    program: int,
    entry: str | None,
    options: Mapping[str, Any],
    lower: Callable[["Shader", Mapping[str, Any]], Opened],
) -> StoredProgram | None:
    """Return the entry of a program; None if it is not cacheable.

    Programs of other packages' formats are not stored, since their code is not part of the key;
    neither are programs of damaged files, or with options of unknown types.
    """
    from ..vm.jit import cache

    kind = type(shader)
    if kind.__module__.partition(".")[0] != __name__.partition(".")[0] or not shader.editable:
        return None
    limits = shader.limits
    bounds = tuple((name, getattr(limits, name)) for name in type(limits).__slots__)
    try:
        data = shader.to_bytes()
        digest = hashlib.sha256(data).digest()
        name = cache.name_of("program", shader.format, program, entry, options, bounds, digest)
    except (UnshadeError, cache.NoIdentityError):
        return None
    kept = deepcopy(dict(options))
    return StoredProgram(name, lambda: lower(kind.loads(data, limits), kept))
