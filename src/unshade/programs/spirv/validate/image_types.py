"""Types of images and sampled images.

    OpTypeImage %texel Dim Depth Arrayed MS Sampled Format [Access]

Sources: SPIR-V specification, section 3.42.6; Vulkan specification, appendix A.
"""

from ....tuples import NamedTuple
from ..tables.grammar import grammar
from ..tables.numbers import Capability, Dim, Opcode
from .instruction import CheckTable, Inst
from .state import State

__all__ = ["CHECKS", "ImageType", "image_of"]

CHECKS = CheckTable()

UNKNOWN = 0  # format


class ImageType(NamedTuple):
    """The operands of OpTypeImage."""

    texel: int
    dim: int
    depth: int
    arrayed: int
    multisampled: int
    sampled: int
    format: int
    access: int | None

    @property
    def coordinates(self) -> int:
        """The components of a coordinate, the layer aside."""
        if self.dim in (Dim.Dim1D, Dim.Buffer):
            return 1
        return 3 if self.dim in (Dim.Dim3D, Dim.Cube) else 2

    @property
    def dim_name(self) -> str:
        """The name of the dimension: 2D."""
        found = grammar().kinds["Dim"].by_value.get(self.dim)
        return found.name if found is not None else str(self.dim)


def image_of(state: State, type_: int) -> ImageType | None:
    """Return the image type of an image, a sampled image or a pointer to one; None for others."""
    types = state.types
    pointer = types.pointer(type_)
    if pointer is not None:
        type_ = pointer[1]
    if types.code(type_) == Opcode.TypeSampledImage:
        type_ = types.words(type_)[2]
    if types.code(type_) != Opcode.TypeImage:
        return None
    words = types.words(type_)
    texel, dim, depth, arrayed, multisampled, sampled, format_ = words[2:9]
    access = words[9] if len(words) > 9 else None
    return ImageType(texel, dim, depth, arrayed, multisampled, sampled, format_, access)


@CHECKS.on(Opcode.TypeImage)
def check_image(state: State, inst: Inst) -> None:
    """Check the operands of an image type."""
    image = image_of(state, inst.id)
    if image is None:
        return

    def fail(message: str, vuid: str = "") -> None:
        state.report("spirv.image-type", inst, message, vuid)

    types = state.types
    void = types.code(image.texel) == Opcode.TypeVoid
    if not void and not types.fits(image.texel, "int s|float s"):
        fail("expected void, or a scalar of int or float, as texel")
    for name, value, most in (
        ("Depth", image.depth, 2), ("Arrayed", image.arrayed, 1),
        ("MS", image.multisampled, 1), ("Sampled", image.sampled, 2),
    ):  # fmt: skip
        if value > most:
            fail(f"{name}: expected at most {most}, got {value}")
    if image.dim == Dim.SubpassData:
        if image.sampled != 2:
            fail("subpass data has Sampled 2", "VUID-StandaloneSpirv-OpTypeImage-06214")
        if image.format != UNKNOWN:
            fail("subpass data has no format")
        if image.arrayed:
            fail("subpass data has no layers", "VUID-StandaloneSpirv-OpTypeImage-06214")
    plain = image.sampled == 2 and image.format == UNKNOWN
    if image.dim == Dim.TileImageDataEXT and (not plain or image.arrayed or image.depth):
        fail("tile image data has Sampled 2, no format and no layers")
    storage = image.sampled == 2 and image.dim != Dim.SubpassData
    if storage and image.multisampled and not state.has(Capability.StorageImageMultisample):
        fail("multisampled storage images need StorageImageMultisample")
    if state.environment.opencl:
        if image.sampled:
            fail("expected Sampled 0 in OpenCL")
        if image.access is None:
            fail("expected an access qualifier in OpenCL")
        if not void:
            fail("expected void as texel in OpenCL")
    if state.vulkan:
        if not types.fits(image.texel, "int32 s|float32 s|int64 s"):
            fail("expected a texel of 32 bits", "VUID-StandaloneSpirv-OpTypeImage-04656")
        if image.sampled not in (1, 2):
            fail("expected Sampled 1 or 2", "VUID-StandaloneSpirv-OpTypeImage-04657")


@CHECKS.on(Opcode.TypeSampledImage)
def check_sampled(state: State, inst: Inst) -> None:
    """Check the image of a sampled image."""
    image = image_of(state, inst.words[2])
    if image is None or state.code(inst.words[2]) != Opcode.TypeImage:
        state.report("spirv.image-type", inst, "expected an image type")
    elif image.sampled not in (0, 1):
        vuid = "VUID-StandaloneSpirv-OpTypeImage-04657" if state.vulkan else ""
        state.report("spirv.image-type", inst, "expected an image with Sampled 0 or 1", vuid)
    elif image.dim == Dim.Buffer and state.at_least(6):
        state.report("spirv.image-type", inst, "a buffer is not sampled since version 1.6")
    elif image.dim in (Dim.SubpassData, Dim.TileImageDataEXT):
        state.report("spirv.image-type", inst, f"{image.dim_name} is not sampled")
