"""Changes of the interface between a program and its recompiled source, as phrases.

    inputs      those of the new program, in the same registers with the same types, or fewer
    outputs     exactly the same, since the next stage and the targets read them
    resources   those of the new program, of the same kind at the same place, or fewer
    stage       its settings: thread group, primitives, patches, features, version of the code

The file that gets the new program keeps its signatures, reflection and root signature, and so do
the pipelines that it is in. A change of the interface would make them wrong.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from ..model import ConstantBuffer, Reflection, Resource, SignatureParameter
from ..vocab.words import ReturnType

__all__ = ["interface_changes"]

OF_ROWS = {
    "register": "register", "component_type": "type", "system_value": "system value",
    "min_precision": "minimum precision",
}  # fmt: skip
OF_RESOURCES = {
    "kind": "kind", "dimension": "dimension", "writable": "writability", "stride": "stride",
    "comparison": "comparison", "descriptor": "descriptor", "counter": "counter",
}  # fmt: skip
OF_STAGES = {
    "thread_group": "thread group", "wave_size": "wave size", "geometry": "geometry",
    "tessellation": "tessellation", "mesh": "mesh",
}  # fmt: skip
WHOLE = (ReturnType.SINT, ReturnType.UINT)  # texels that are converted by no read


def interface_changes(before: Reflection, after: Reflection) -> list[str]:
    """Return what the interface of `after` has, and `before` has not; empty if it fits."""
    if before.stage != after.stage:
        return [f"stage is {after.stage}, was {before.stage}"]
    return [
        *_rows("input", before.inputs, after.inputs, may_lack=True),
        *_rows("output", before.outputs, after.outputs),
        *_rows(
            "patch constant", before.patch_constants, after.patch_constants,
            may_lack=before.stage == "domain",
        ),
        *_resources(before, after),
        *_settings(before, after),
    ]  # fmt: skip


# -- signatures ----------------------------------------------------------------------------------


def _key(row: SignatureParameter) -> tuple[object, ...]:
    """Return the key by which the stages are linked: a location, or a semantic."""
    if row.by_register and row.register is not None:
        return (row.register, row.stream, row.blend_source, row.components[:1])
    if row.by_register:
        return (str(row.system_value), row.index, row.stream)
    return (row.semantic.upper(), row.index, row.stream)


def _label(row: SignatureParameter) -> str:
    return f"{row.semantic}{row.index or ''}"


def _rows(
    what: str,
    before: Sequence[SignatureParameter],
    after: Sequence[SignatureParameter],
    *,
    may_lack: bool = False,
) -> Iterator[str]:
    known = {_key(row): row for row in before}
    for row in after:
        old = known.pop(_key(row), None)
        if old is None and row.by_register and not row.used:
            continue  # a member of gl_PerVertex that no code refers to
        if old is None:
            yield f"{what} {_label(row)} is new"
            continue
        yield from _fields(f"{what} {_label(row)}", OF_ROWS, old, row)
        more = set(row.components) - set(old.components)
        if more or (not may_lack and set(row.components) != set(old.components)):
            yield f"{what} {_label(row)}: components are {row.components}, were {old.components}"
    for row in known.values():
        if not may_lack and row.used:
            yield f"{what} {_label(row)} is missing"


def _fields(what: str, names: dict[str, str], before: Any, after: Any) -> Iterator[str]:
    for field, words in names.items():
        old, new = getattr(before, field), getattr(after, field)
        if old != new and None not in (old, new):
            yield f"{what}: {words} is {_shown(new)}, was {_shown(old)}"


def _shown(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


# -- resources -----------------------------------------------------------------------------------


def _resources(before: Reflection, after: Reflection) -> Iterator[str]:
    for at, each in enumerate(after.resources):
        if each.used is False:
            continue
        old = next((one for one in before.resources if _holds(one, each)), None)
        what = f"{str(each.kind).replace('_', ' ')} {each.name} ({each.where})"
        if old is None:
            yield f"{what} is new"
            continue
        yield from _fields(what, OF_RESOURCES, old, each)
        types = old.return_type, each.return_type
        if types[0] != types[1] and any(one in WHOLE for one in types) and None not in types:
            yield f"{what}: type is {types[1]}, was {types[0]}"
        yield from _layout(what, _buffer(before, before.resources.index(old)), _buffer(after, at))


def _holds(old: Resource, new: Resource) -> bool:
    """Return True if a resource or array of the program has the place of a new one."""
    if (old.register_class, old.space) != (new.register_class, new.space):
        return False
    if old.count is None:
        return old.register <= new.register
    end = old.register + old.count if old.register_class else old.register + 1
    many = 1 if new.count is None or not new.register_class else new.count
    return old.register <= new.register and new.register + many <= end


def _buffer(reflection: Reflection, at: int) -> ConstantBuffer | None:
    return next((each for each in reflection.constant_buffers if each.resource == at), None)


def _layout(
    what: str, before: ConstantBuffer | None, after: ConstantBuffer | None
) -> Iterator[str]:
    """Yield the variables of a constant buffer that are not, or not so, in the old one.

    A variable is known by its offset: the file keeps the names that it has.
    """
    if before is None or after is None or not before.size:
        return
    if after.size > -(-before.size // 16) * 16:
        yield f"{what}: size is {after.size} bytes, was {before.size}"
    ends = [(each.offset, each.offset + max(each.size, 1)) for each in before.variables]
    for each in after.variables:
        if ends and not any(start <= each.offset < end for start, end in ends):
            yield f"{what}: variable {each.name} at byte {each.offset} is new"


# -- stages --------------------------------------------------------------------------------------


def _settings(before: Reflection, after: Reflection) -> Iterator[str]:
    for field, words in OF_STAGES.items():
        old, new = getattr(before, field), getattr(after, field)
        if old is None or new is None:
            if field == "wave_size" and new is not None:
                yield f"{words} is {_shown(new)}, was open"
        elif isinstance(old, list):
            yield from _fields("program", {field: words}, before, after)
        else:
            names = {each: each.replace("_", " ") for each in old.FIELDS}
            yield from _fields(words, names, old, new)
    ids = {each.id for each in after.specialisation_constants}
    for each in before.specialisation_constants:
        if each.id not in ids:
            yield f"specialisation constant {each.name or each.id} is missing"
    for feature in after.features:
        if feature not in before.features:
            yield f"feature {feature.replace('_', ' ')} is new"
    old_model, new_model = (_numbers(each.model) for each in (before, after))
    if old_model and new_model and new_model > old_model:
        yield f"version of the code is {after.model}, was {before.model}"


def _numbers(model: str | None) -> tuple[int, ...]:
    return tuple(int(each) for each in (model or "").split(".") if each.isdecimal())
