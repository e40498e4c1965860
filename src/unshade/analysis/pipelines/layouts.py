"""Pipeline layouts of Vulkan, and the resources of stages against them.

    {"sets": [[{"binding": 0, "type": "uniform_buffer", "stages": ["vertex", "fragment"]},
               {"binding": 1, "type": "combined_image_sampler", "count": 4}]],
     "push_constants": [{"offset": 0, "size": 64, "stages": ["vertex"]}]}

Types are those of VkDescriptorType, with or without their prefix and in any case; stages likewise,
and `all`, which is the default.

Source: Vulkan specification, VkDescriptorSetLayoutBinding, VkPushConstantRange and the valid usage
of VkGraphicsPipelineCreateInfo and VkComputePipelineCreateInfo.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ...errors import UsageError
from ...model.facts import ProgramResource
from ...tuples import NamedTuple
from ...vocab.words import STAGE_ALIASES, BufferKind, DescriptorType, Stage
from .findings import PipelineFindings
from .reading import items, natural, one_of, optional, record, text
from .rules import reference
from .stages import PipelineStage

__all__ = ["DescriptorBinding", "PipelineLayout", "PushConstantRange", "check_layout", "layout_of"]

D = DescriptorType
TYPES: Mapping[str, str] = {str(each): str(each) for each in DescriptorType} | {
    "uniform_buffer_dynamic": D.UNIFORM_BUFFER,
    "storage_buffer_dynamic": D.STORAGE_BUFFER,
    "inline_uniform_block": D.UNIFORM_BUFFER,
    "mutable": "mutable",
}
ALL = frozenset(str(each) for each in Stage)
STAGES: Mapping[str, frozenset[str]] = {
    **{name: frozenset({str(stage)}) for name, stage in STAGE_ALIASES.items()},
    **{str(each): frozenset({str(each)}) for each in Stage},
    "tessellation_control": frozenset({str(Stage.HULL)}),
    "tessellation_evaluation": frozenset({str(Stage.DOMAIN)}),
    "all": ALL,
    "all_graphics": ALL - {str(Stage.COMPUTE)},
}


class DescriptorBinding(NamedTuple):
    """A binding of a descriptor set layout."""

    binding: int
    type: str
    count: int = 1  # type: ignore[assignment]  # instead of the method of a tuple
    stages: Collection[str] = ALL


class PushConstantRange(NamedTuple):
    """A range of push constants, in bytes."""

    offset: int
    size: int
    stages: Collection[str] = ALL


class PipelineLayout(NamedTuple):
    """Descriptor sets, by number, and ranges of push constants."""

    sets: Sequence[Mapping[int, DescriptorBinding]] = ()
    push_constants: Sequence[PushConstantRange] = ()


def _word(data: Any, path: str) -> str:
    """Read a word of an enumeration of Vulkan, with or without its prefix."""
    word = text(data, path).lower()
    for prefix in ("vk_descriptor_type_", "vk_shader_stage_"):
        word = word.removeprefix(prefix)
    for suffix in ("_bit", "_khr", "_ext", "_nv", "_bit"):
        word = word.removesuffix(suffix)
    return word


def _type(data: Any, path: str) -> str:
    return one_of(TYPES)(_word(data, path), path)


def _stages(data: Any, path: str) -> frozenset[str]:
    several = data if isinstance(data, list | tuple) else [data]
    found: frozenset[str] = frozenset()
    for at, each in enumerate(several):
        place = f"{path}[{at}]"
        found |= one_of(STAGES)(_word(each, place), place)
    return found


def _binding(data: Any, path: str) -> DescriptorBinding:
    fields = {"binding": natural, "type": _type, "count": natural, "stages": _stages}
    given = record(data, path, fields)
    for name in ("binding", "type"):
        if name not in given:
            raise UsageError(f"{path}: expected the key {name!r}")
    return DescriptorBinding(**given)


def _set(data: Any, path: str) -> dict[int, DescriptorBinding]:
    found: dict[int, DescriptorBinding] = {}
    for at, each in enumerate(items(_binding)(data, path)):
        if each.binding in found:
            raise UsageError(f"{path}[{at}].binding: {each.binding} is listed twice")
        found[each.binding] = each
    return found


def _range(data: Any, path: str) -> PushConstantRange:
    given = record(data, path, {"offset": natural, "size": natural, "stages": _stages})
    if "size" not in given:
        raise UsageError(f"{path}: expected the key 'size'")
    return PushConstantRange(**{"offset": 0, **given})


def layout_of(data: Any, name: str = "layout") -> PipelineLayout:
    """Return the pipeline layout of plain data.

    Raises:
        UsageError: The data does not describe a layout; names the path.
    """
    if isinstance(data, PipelineLayout):
        return data
    fields = {"sets": items(optional(_set)), "push_constants": items(_range)}
    given = record(data, name, fields)
    sets = [each or {} for each in given.get("sets", ())]
    return PipelineLayout(sets, given.get("push_constants", ()))


# -- checks --------------------------------------------------------------------------------------


def check_layout(
    found: PipelineFindings, stages: Sequence[PipelineStage], layout: PipelineLayout
) -> None:
    """Check the resources and push constants that stages use against a layout."""
    for stage in stages:
        for each in stage.facts.resources:
            if each.resource.descriptor is not None and each.resource.used is not False:
                _check_resource(found, stage, each, layout)
        _check_push_constants(found, stage, layout)


def _check_resource(
    found: PipelineFindings, stage: PipelineStage, each: ProgramResource, layout: PipelineLayout
) -> None:
    one = each.resource
    label = f"{one.name} (set {one.space}, binding {one.register})"
    bindings = layout.sets[one.space] if one.space < len(layout.sets) else {}
    binding = bindings.get(one.register)

    def add(code: str, message: str) -> None:
        path = stage.shader.resource_path(stage.program, each)
        _add(found, stage, code, f"{label} {message}", path)

    if binding is None:
        add("layout.binding", f"of the {stage.title} is not in the layout")
        return
    if stage.stage not in binding.stages:
        seen = ", ".join(sorted(binding.stages)) or "no stage"
        add("layout.binding", f"of the {stage.title} is for {seen} in the layout")
    elif binding.type not in (one.descriptor, "mutable"):
        add(
            "layout.type", f"is {one.descriptor} in the {stage.title}, {binding.type} in the layout"
        )
    elif one.count is not None and one.count > binding.count:
        add(
            "layout.count",
            f"has {one.count} descriptors in the {stage.title}, {binding.count} in the layout",
        )


def _check_push_constants(
    found: PipelineFindings, stage: PipelineStage, layout: PipelineLayout
) -> None:
    for each in stage.facts.constant_buffers:
        if each.kind != BufferKind.PUSH_CONSTANTS or not each.variables:
            continue
        first = min(one.offset for one in each.variables)
        last = max(one.offset + one.size for one in each.variables)
        ours = [one for one in layout.push_constants if stage.stage in one.stages]
        if any(one.offset <= first and last <= one.offset + one.size for one in ours):
            continue
        ranges = ", ".join(f"{one.offset} to {one.offset + one.size - 1}" for one in ours)
        message = f"push constants {each.name} of the {stage.title} are bytes {first} to {last - 1}"
        _add(found, stage, "layout.push-constants", f"{message}, the layout has {ranges or 'none'}")


def _add(
    found: PipelineFindings, stage: PipelineStage, code: str, message: str, path: str = ""
) -> None:
    kind = "Compute" if stage.stage == Stage.COMPUTE else "Graphics"
    known = reference(code, found.runtime).format(kind=kind)
    found.add(code, message, stage.place(path), reference_of=known)
