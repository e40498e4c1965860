"""Image instructions: sampling, fetching, gathering, reading, writing, queries.

    %r = OpImageSampleImplicitLod %v4 %sampled_image %coordinate [operands]

The result of a sparse instruction is a structure: a residency code, then the texel.

Sources: SPIR-V specification, section 3.42.10; Vulkan specification, appendix A.
"""

from ..tables.grammar import grammar
from ..tables.numbers import Capability, Dim, ExecutionModel, Opcode, StorageClass
from ..tables.numbers import ImageFormat as Format
from .derivatives import check_quads
from .image_operands import FETCHES, GATHERS, READS, check_operands
from .image_types import ImageType, image_of
from .instruction import CheckTable, Inst
from .state import State

__all__ = ["CHECKS"]

CHECKS = CheckTable()

SAMPLES = tuple(
    each.code
    for each in grammar().core.by_code.values()
    if each.name.startswith(("OpImageSample", "OpImageSparseSample"))
    and each.name.endswith("citLod")
)
QUERY_DIMS = (Dim.Dim1D, Dim.Dim2D, Dim.Dim3D, Dim.Cube)
ATOMIC_FORMATS = (
    Format.R64i, Format.R64ui, Format.R32f, Format.R32i, Format.R32ui, Format.Rg16f,
    Format.Rgba16f,
)  # fmt: skip


def _fail(state: State, inst: Inst, message: str, vuid: str = "") -> None:
    state.report("spirv.image", inst, message, vuid)


def _texel(state: State, inst: Inst) -> int:
    """Return the type of the texel that an instruction results in; 0 after reporting a fault."""
    types = state.types
    if "Sparse" not in inst.name:
        return inst.type
    members = types.members(inst.type)
    if len(members) != 2 or not types.fits(members[0], "int s"):
        _fail(state, inst, "expected a structure of an int and a texel as result")
        return 0
    return members[1]


def _operand(state: State, inst: Inst, sampled: bool) -> ImageType | None:
    """Return the image of the first operand; report another type."""
    type_ = state.operand_type(inst, 0)
    wanted = Opcode.TypeSampledImage if sampled else Opcode.TypeImage
    image = image_of(state, type_)
    if state.types.code(type_) != wanted or image is None:
        name = "a sampled image" if sampled else "an image"
        _fail(state, inst, f"expected {name} as operand")
        return None
    return image


def _check_texel(state: State, inst: Inst, texel: int, image: ImageType, four: bool) -> None:
    """Check the type of a texel against the image."""
    types = state.types
    if not types.fits(texel, "int v|float v" if four else "int sv|float sv"):
        _fail(state, inst, "expected a texel of int or float")
    elif four and types.count(texel) != 4:
        _fail(state, inst, "expected a texel of four components")
    elif types.code(image.texel) != Opcode.TypeVoid and types.component(texel) != image.texel:
        _fail(state, inst, "expected components of the image's texel type")


def _check_coordinate(
    state: State, inst: Inst, at: int, image: ImageType, pattern: str, least: int
) -> None:
    type_ = state.operand_type(inst, at)
    if not state.types.fits(type_, pattern):
        _fail(state, inst, f"expected coordinates of {pattern.split(maxsplit=1)[0]}")
    elif state.types.count(type_) < least:
        count = state.types.count(type_)
        _fail(state, inst, f"expected at least {least} coordinates, got {count}")


@CHECKS.on(*SAMPLES)
def check_sample(state: State, inst: Inst) -> None:
    """Check a sampling."""
    image = _operand(state, inst, sampled=True)
    texel = _texel(state, inst)
    if image is None or not texel:
        return
    name = inst.name
    depth, projected = "Dref" in name, "Proj" in name
    if image.multisampled:
        _fail(state, inst, "a multisampled image is not sampled")
    if depth:
        _check_depth(state, inst, texel, image, 2)
    elif state.types.fits(texel, "float s") and state.kernel and image.depth:
        pass  # the depth alone
    else:
        _check_texel(state, inst, texel, image, four=True)
    both = "ExplicitLod" in name and state.kernel
    pattern = "float32 sv|int32 sv" if both else "float32 sv"
    least = image.coordinates + image.arrayed + projected
    _check_coordinate(state, inst, 1, image, pattern, least)
    if projected and (image.arrayed or image.dim == Dim.Cube):
        _fail(state, inst, "expected an image without layers or faces")
    check_operands(state, inst, image, 3 if depth else 2)
    _check_derivatives(state, inst)


def _check_derivatives(state: State, inst: Inst) -> None:
    """Check that a level is only computed where there are derivatives."""
    if "ImplicitLod" not in inst.name and inst.code != Opcode.ImageQueryLod:
        return
    check_quads(state, inst)


def _check_depth(state: State, inst: Inst, texel: int, image: ImageType, at: int) -> None:
    if not state.types.fits(texel, "int s|float s"):
        _fail(state, inst, "expected a scalar of int or float as texel")
    elif texel != image.texel:
        _fail(state, inst, "expected the image's texel type")
    if not state.types.fits(state.operand_type(inst, at), "float32 s"):
        _fail(state, inst, "expected a reference of 32-bit float")
    if state.vulkan and image.dim == Dim.Dim3D:
        vuid = "VUID-StandaloneSpirv-OpImage-04777"
        _fail(state, inst, "a depth comparison is not for three dimensions", vuid)


@CHECKS.on(*FETCHES)
def check_fetch(state: State, inst: Inst) -> None:
    """Check a fetch."""
    image = _operand(state, inst, sampled=False)
    texel = _texel(state, inst)
    if image is None or not texel:
        return
    _check_texel(state, inst, texel, image, four=True)
    if image.dim == Dim.Cube:
        _fail(state, inst, "a cube is not fetched")
    if image.sampled != 1:
        _fail(state, inst, "expected an image with Sampled 1")
    least = image.coordinates + image.arrayed
    _check_coordinate(state, inst, 1, image, "int sv", least)
    check_operands(state, inst, image, 2)


@CHECKS.on(*GATHERS)
def check_gather(state: State, inst: Inst) -> None:
    """Check a gathering of four texels."""
    image = _operand(state, inst, sampled=True)
    texel = _texel(state, inst)
    if image is None or not texel:
        return
    _check_texel(state, inst, texel, image, four=True)
    if image.multisampled:
        _fail(state, inst, "a multisampled image is not gathered")
    if image.dim not in (Dim.Dim2D, Dim.Cube, Dim.Rect):
        _fail(state, inst, "expected the dimension 2D, Cube or Rect",
              "VUID-StandaloneSpirv-OpImage-04777" if state.vulkan else "")  # fmt: skip
    _check_coordinate(state, inst, 1, image, "float32 sv", image.coordinates + image.arrayed)
    if "Dref" in inst.name:
        if not state.types.fits(state.operand_type(inst, 2), "float32 s"):
            _fail(state, inst, "expected a reference of 32-bit float")
    else:
        if not state.types.fits(state.operand_type(inst, 2), "int32 s"):
            _fail(state, inst, "expected a component of 32-bit int")
        legal = not state.options.before_hlsl_legalization
        if state.vulkan and legal and not state.is_constant(inst.word(2)):
            vuid = "VUID-StandaloneSpirv-OpImageGather-04664"
            _fail(state, inst, "expected a constant component", vuid)
    check_operands(state, inst, image, 3)


@CHECKS.on(*READS, Opcode.ImageWrite)
def check_storage(state: State, inst: Inst) -> None:
    """Check OpImageRead, its sparse form, or OpImageWrite."""
    image = _operand(state, inst, sampled=False)
    write = inst.code == Opcode.ImageWrite
    texel = state.operand_type(inst, 2) if write else _texel(state, inst)
    if image is None or not texel:
        return
    _check_texel(state, inst, texel, image, four=False)
    if image.sampled == 1:
        _fail(state, inst, "expected an image with Sampled 0 or 2")
    special = image.dim in (Dim.SubpassData, Dim.TileImageDataEXT)
    if image.dim == Dim.TileImageDataEXT or (image.dim == Dim.SubpassData and write):
        _fail(state, inst, f"not for {image.dim_name}")
    elif image.dim == Dim.SubpassData:
        if "Sparse" in inst.name:
            _fail(state, inst, f"not for {image.dim_name}")
        state.require_models(
            "spirv.stage", inst, (ExecutionModel.Fragment,), "subpass data is for fragments"
        )
    free = (
        Capability.StorageImageWriteWithoutFormat
        if write
        else Capability.StorageImageReadWithoutFormat
    )
    if not image.format and image.sampled == 2 and not special and state.vulkan:
        newer = state.at_least(6) and state.environment.api >= (1, 3)
        if not state.has(free) and not newer:
            _fail(state, inst, "an image without a format needs a capability")
    layers = image.multisampled and image.arrayed and image.sampled == 2
    if layers and not state.has(Capability.ImageMSArray):
        _fail(state, inst, "multisampled layers need ImageMSArray")
    least = image.coordinates + (image.arrayed if image.dim != Dim.Cube else 0)
    pattern = "int sv" if state.vulkan else "int sv|float sv"
    _check_coordinate(state, inst, 1, image, pattern, least)
    if state.vulkan and not write and state.types.count(texel) != 4 and not special:
        vuid = "VUID-StandaloneSpirv-Result-04780"
        _fail(state, inst, "expected a texel of four components", vuid)
    check_operands(state, inst, image, 3 if write else 2)


@CHECKS.on(Opcode.ImageTexelPointer)
def check_pointer(state: State, inst: Inst) -> None:
    """Check a pointer to a texel."""
    types = state.types
    pointer = types.pointer(inst.type)
    given = types.pointer(state.operand_type(inst, 0))
    if pointer is None or pointer[0] != StorageClass.Image:
        _fail(state, inst, "expected a pointer of the storage class Image as result")
        return
    image = image_of(state, given[1]) if given is not None else None
    if given is None or image is None or types.code(given[1]) != Opcode.TypeImage:
        _fail(state, inst, "expected a pointer to an image as operand")
        return
    halves = state.has(Capability.AtomicFloat16VectorNV) and types.fits(pointer[1], "float16 v")
    void = types.code(pointer[1]) == Opcode.TypeVoid
    if not void and not halves and not types.fits(pointer[1], "int s|float s"):
        _fail(state, inst, "expected a pointer to a scalar")
    elif image.texel != pointer[1] and not halves:
        _fail(state, inst, "expected a pointer to the image's texel type")
    if image.dim in (Dim.SubpassData, Dim.TileImageDataEXT):
        _fail(state, inst, f"not for {image.dim_name}")
    count = image.coordinates + (image.arrayed if image.dim != Dim.Cube else 0)
    type_ = state.operand_type(inst, 1)
    if not types.fits(type_, "int32 sv"):
        _fail(state, inst, "expected coordinates of 32-bit int")
    elif types.count(type_) != count:
        _fail(state, inst, f"expected {count} coordinates")
    if not types.fits(state.operand_type(inst, 2), "int32 s"):
        _fail(state, inst, "expected a sample of 32-bit int")
    elif not image.multisampled and state.integer(inst.word(2)) != 0:
        _fail(state, inst, "expected sample 0")
    if state.vulkan and image.format not in ATOMIC_FORMATS:
        vuid = "VUID-StandaloneSpirv-OpImageTexelPointer-04658"
        _fail(state, inst, "expected a format for atomic operations", vuid)


@CHECKS.on(Opcode.SampledImage)
def check_sampled_image(state: State, inst: Inst) -> None:
    """Check the combination of an image and a sampler, and its uses."""
    types = state.types
    image = _operand(state, inst, sampled=False)
    if types.code(inst.type) != Opcode.TypeSampledImage:
        _fail(state, inst, "expected a sampled image as result")
        return
    if types.code(state.operand_type(inst, 1)) != Opcode.TypeSampler:
        _fail(state, inst, "expected a sampler")
    if image is None:
        return
    if image.sampled not in (0, 1):
        vuid = "VUID-StandaloneSpirv-OpTypeSampledImage-06671" if state.vulkan else ""
        _fail(state, inst, "expected an image with Sampled 0 or 1", vuid)
    if types.words(inst.type)[2] != state.operand_type(inst, 0):
        wanted = image_of(state, inst.type)
        if wanted is None or wanted._replace(depth=image.depth) != image:
            _fail(state, inst, "expected the image type of the result")
    if state.options.before_hlsl_legalization:
        return
    for user in state.uses.get(inst.id, ()):
        if user.function < 0:
            continue
        if user.block != inst.block:
            state.report("spirv.sampled-image", inst, "used in another block")
            break
        op = user.op
        if (op is not None and op.group != "Image" and user.code not in (
            Opcode.ExtInst, Opcode.Name, Opcode.CopyObject,
        )) or user.code in FETCHES:  # fmt: skip
            state.report("spirv.sampled-image", inst, f"used by {user.name}")
            break


@CHECKS.on(Opcode.Image)
def check_image(state: State, inst: Inst) -> None:
    """Check the image of a sampled image."""
    given = state.operand_type(inst, 0)
    if state.types.code(inst.type) != Opcode.TypeImage:
        _fail(state, inst, "expected an image as result")
    elif state.types.code(given) != Opcode.TypeSampledImage:
        _fail(state, inst, "expected a sampled image as operand")
    elif state.types.words(given)[2] != inst.type:
        _fail(state, inst, "expected the image type of the sampled image")


SCALARS = (Opcode.ImageQueryFormat, Opcode.ImageQueryOrder)


@CHECKS.on(
    *SCALARS, Opcode.ImageQuerySizeLod, Opcode.ImageQuerySize, Opcode.ImageQueryLod,
    Opcode.ImageQueryLevels, Opcode.ImageQuerySamples,
)  # fmt: skip
def check_query(state: State, inst: Inst) -> None:
    """Check a query."""
    types = state.types
    lod = inst.code == Opcode.ImageQueryLod
    image = _operand(state, inst, sampled=lod)
    if lod:
        if not types.fits(inst.type, "float v2"):
            _fail(state, inst, "expected a result of two floats")
    elif inst.code in (Opcode.ImageQuerySizeLod, Opcode.ImageQuerySize):
        if not types.fits(inst.type, "int sv"):
            _fail(state, inst, "expected a result of int")
            return
    elif not types.fits(inst.type, "int s"):
        _fail(state, inst, "expected a scalar of int as result")
    if image is None or inst.code in SCALARS:
        return
    _check_queried(state, inst, image)


def _check_queried(state: State, inst: Inst, image: ImageType) -> None:
    types = state.types
    size = image.coordinates - (image.dim == Dim.Cube) + image.arrayed
    match inst.code:
        case Opcode.ImageQuerySizeLod:
            if image.dim not in QUERY_DIMS:
                _fail(state, inst, "expected the dimension 1D, 2D, 3D or Cube")
            if image.multisampled:
                _fail(state, inst, "a multisampled image has no levels")
            if types.count(inst.type) != size:
                _fail(state, inst, f"expected {size} components as result")
            if not types.fits(state.operand_type(inst, 1), "int s"):
                _fail(state, inst, "expected a level of int")
        case Opcode.ImageQuerySize:
            if image.dim in QUERY_DIMS and not image.multisampled and image.sampled == 1:
                _fail(state, inst, "an image with levels; OpImageQuerySizeLod is for it")
            if types.count(inst.type) != size:
                _fail(state, inst, f"expected {size} components as result")
        case Opcode.ImageQueryLod:
            if image.dim not in QUERY_DIMS:
                _fail(state, inst, "expected the dimension 1D, 2D, 3D or Cube")
            pattern = "float sv|int sv" if state.kernel else "float sv"
            _check_coordinate(state, inst, 1, image, pattern, image.coordinates)
            _check_derivatives(state, inst)
        case Opcode.ImageQueryLevels:
            if image.dim not in QUERY_DIMS:
                _fail(state, inst, "expected the dimension 1D, 2D, 3D or Cube")
        case Opcode.ImageQuerySamples:
            if image.dim != Dim.Dim2D:
                _fail(state, inst, "expected the dimension 2D")
            elif not image.multisampled:
                _fail(state, inst, "expected a multisampled image")
    levels = (Opcode.ImageQuerySizeLod, Opcode.ImageQueryLevels)
    if state.vulkan and inst.code in levels and image.sampled != 1:
        vuid = "VUID-StandaloneSpirv-OpImageQuerySizeLod-04659"
        _fail(state, inst, "expected an image with Sampled 1", vuid)


@CHECKS.on(Opcode.ImageSparseTexelsResident)
def check_resident(state: State, inst: Inst) -> None:
    """Check a query of residency."""
    if not state.types.fits(inst.type, "bool s"):
        _fail(state, inst, "expected a result of bool")
    if not state.types.fits(state.operand_type(inst, 0), "int s"):
        _fail(state, inst, "expected a code of int")
