"""The target SPIR-V: what the steps of decompilation ask for, and the text of the module."""

from collections.abc import Mapping

from ...dataclass import dataclass, field
from ...errors import UnsupportedError
from ...ir.kernel import KernelIR
from ...ir.ops import OPS
from ...ir.textures import Action, Sample
from ...model.resources import ConstantBuffer
from ...vocab.words import Stage
from ..block_rules import BlockRule, rule_of
from ..glsl.entry import adapt, closing, opening, place_name
from ..interface import EntryInterface, default_bits
from ..meshes import GROUPED
from ..names import DecompiledNames
from ..operations import PLACED, SOURCE_OPS
from ..parts import SourceParts, group_constants, initial
from ..points import PointSets
from ..resources.declared import is_ordered
from ..tree import ScalarKind
from .declarations import BindingPlace, declare_resources
from .entry import declare_interface
from .environments import ENVIRONMENTS
from .hull import write_hull
from .lines import FunctionLines
from .meshes import declare_group
from .module import SpirvSections
from .points import declare_points, stage_modes, vertices
from .writer import UINT, SpirvWriter

__all__ = ["SpirvTarget"]

MODELS = {
    Stage.PIXEL: "Fragment", Stage.VERTEX: "Vertex", Stage.COMPUTE: "GLCompute",
    Stage.GEOMETRY: "Geometry", Stage.HULL: "TessellationControl",
    Stage.DOMAIN: "TessellationEvaluation", Stage.MESH: "MeshEXT",
    Stage.AMPLIFICATION: "TaskEXT",
}  # fmt: skip
SOURCES = {
    "wave_lane": "gl_SubgroupInvocationID", "wave_size": "gl_SubgroupSize",
    "quad_lane": "quad_lane", "helper": "helper",
}  # fmt: skip
QUADS = "ComputeDerivativeGroupQuadsNV"
# Operations besides arithmetic whose result may depend on how subnormal numbers are read.
DEPENDENT = frozenset({
    OPS.feq, OPS.fne, OPS.flt, OPS.fle, OPS.fneg, OPS.fabs, OPS.wave_reduce, OPS.wave_scan,
    OPS.wave_before, OPS.wave_equal, OPS.atomic_fadd, OPS.atomic_fmin, OPS.atomic_fmax,
    SOURCE_OPS.ddx_fine, SOURCE_OPS.ddy_fine, SOURCE_OPS.ddx_coarse, SOURCE_OPS.ddy_coarse,
    *PLACED,
})  # fmt: skip
# What a texture is asked for without computing with coordinates or levels.
UNFILTERED = (Action.FETCH, Action.SIZE, Action.SAMPLES)


@dataclass(slots=True)
class SpirvTarget:
    """The target: an environment of Vulkan, and the bindings that the caller gives."""

    environment: str = "vulkan1.1"
    bindings: Mapping[str, BindingPlace] = field(default_factory=dict)

    stages = frozenset(MODELS)
    reserved: frozenset[str] = frozenset({"main", *SOURCES})
    bool_kind = ScalarKind.UINT
    widths = True
    attachments = True
    instances = False
    global_members = False
    indexed_resources = False
    unbounded_resources = True
    by_bytes = False
    heaps = False
    payload_member = ""
    helper_lanes = False
    sources: Mapping[str, str] = field(default_factory=lambda: SOURCES)

    def packs(self, buffer: ConstantBuffer, uniform: bool, stride: int) -> bool:
        """Return True if the rules of Vulkan for blocks allow the places of the members."""
        rule = rule_of(buffer, uniform, stride)
        return rule is not None and rule is not BlockRule.SCALAR

    def adapt(self, interface: EntryInterface, kernel: KernelIR, points: PointSets) -> None:
        """Give parameters the names and kinds of their built-ins."""
        adapt(interface, kernel, points, set())

    def place_name(self, names: DecompiledNames, word: str) -> str:
        """Return the name of a position of the lane."""
        return place_name(word)

    def program(self, parts: SourceParts) -> str:
        """Return the text of the module."""
        module = SpirvSections(ENVIRONMENTS[self.environment])
        w = SpirvWriter(module, parts)
        main, label = module.id(), module.id()
        module.name(main, "main")
        _declare_constants(w)
        declare_interface(w)
        if parts.kernel.stage in GROUPED:
            declare_group(w)
        else:
            declare_points(w)
        declare_resources(w, self.bindings)
        if parts.kernel.stage is Stage.HULL:
            write_hull(w)
        else:
            body = closing(parts.interface, parts.body)
            lines = [*opening(parts.interface), *vertices(w), *initial(parts), *body]
            w.ordered = is_ordered(parts.resources)
            w.begin()
            FunctionLines(w, lines).write(lines)
        if not w.ended:
            w.leave()
        _modes(w)
        module.function += w.function(main, label)
        return module.text(MODELS[Stage(str(parts.kernel.stage))], main)


def _declare_constants(w: SpirvWriter) -> None:
    """Declare the specialisation constants."""
    for each in w.parts.interface.constants:
        bits = default_bits(each, w.parts.reflection)
        w.constants[each.name] = w.module.specialised(each.type, bits, each.index, each.name)


def _size_constants(w: SpirvWriter) -> None:
    """Declare the size of the thread group, if specialisation constants set it."""
    ids = group_constants(w.parts)
    if ids == [None, None, None]:
        return
    named = {
        (each.index, default_bits(each, w.parts.reflection)): w.constants[each.name]
        for each in w.parts.interface.constants
    }
    sizes = []
    for axis, id, size in zip("xyz", ids, w.parts.kernel.group, strict=True):
        if id is None:
            sizes.append(w.number(size))
            continue
        if (id, size) not in named:
            named[id, size] = w.module.specialised(UINT, size, id, f"group_{axis}")
        sizes.append(named[id, size])
    whole = w.module.fresh("OpSpecConstantComposite", w.module.type(UINT.wide(3)), *sizes)
    w.module.decorate(whole, "BuiltIn", "WorkgroupSize")


def _modes(w: SpirvWriter) -> None:
    """Declare the execution modes."""
    kernel, module = w.parts.kernel, w.module
    stage_modes(w)
    if kernel.stage is Stage.PIXEL:
        module.modes["OriginUpperLeft"] = None
        if w.parts.lowered.early_tests:
            module.modes["EarlyFragmentTests"] = None
    if kernel.dispatched:
        module.modes["LocalSize {} {} {}".format(*kernel.group)] = None
        _size_constants(w)
        if kernel.quads:
            if kernel.stage in GROUPED:
                raise UnsupportedError(f"derivatives of a {kernel.stage} shader have no mode yet")
            module.require(QUADS)
            module.modes["DerivativeGroupQuadsNV"] = None
    for width in _computed(kernel):
        modes = ["DenormFlushToZero"] if width in kernel.flush else ["DenormPreserve"]
        if width in w.parts.lowered.loose:
            modes = []
        for mode in (*modes, "SignedZeroInfNanPreserve"):
            module.require(mode)
            module.modes[f"{mode} {width}"] = None


def _computed(kernel: KernelIR) -> list[int]:
    """Return the widths of floats that the program computes with, rather than moves."""
    found: set[int] = set()
    for value in kernel.values():
        sampled = isinstance(value.attr, Sample) and value.attr.action not in UNFILTERED
        if value.op.arithmetic or value.op.library or value.op in DEPENDENT or sampled:
            found |= {each.type.bits for each in (value, *value.args) if each.type.kind == "f"}
    return sorted(found)
