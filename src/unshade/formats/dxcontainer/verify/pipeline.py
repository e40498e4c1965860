"""Checks of PSV0 against metadata and code of the DXIL program.

    4, !{i32 8, i32 8, i32 1}         PSV0   threads_x 8, threads_y 8, threads_z 1
    !{i32 0, !"COLOR", …, i8 2, …}    PSV0   inputs[0].interpolation LINEAR
    storeOutput(i32 5, …, %x)         PSV0   dependencies_0[2], the outputs that need input 0.z
                                      dx.viewIdState   the same

Registers of resources and elements are compared by `bitcode` and `validation`. A mask with more
than the code needs is only a note: other compilers than dxc may not look that far. So is a table
of zeros beside a program without dx.viewIdState: Mesa computes neither, and dxc's validator
accepts it (`PSVContentVerifier::VerifyViewIDDependence` returns early).
"""

from collections.abc import Iterable
from typing import Any

from ....enums import IntEnum
from ....errors import FormatError, LimitError
from ....vocab.numbers import named
from ....wire import Record
from ..part import DxPart
from ..parts.dxil import is_dxil
from ..parts.masks import component_names
from ..parts.psv0 import SIZES, PipelineStateValidation
from .places import ContainerFindings

__all__ = ["check_pipeline_state"]

LISTS = {
    "resources": ("type", "kind", "flags"),
    "inputs": ("semantic", "interpolation", "dynamic"),
    "outputs": ("semantic", "interpolation", "dynamic"),
    "patch": ("semantic", "interpolation", "dynamic"),
}
PLACES = ("space", "lower_bound", "upper_bound", "start_row", "columns")


def check_pipeline_state(found: ContainerFindings) -> None:
    """Compare PSV0 with DXIL, or ILDB without DXIL, if both can be read."""
    part, program = found.first("PSV0"), found.first("DXIL") or found.first("ILDB")
    if part is None or program is None or not is_dxil(program.value):
        return
    state = part.reading.value
    if not isinstance(state, PipelineStateValidation) or not program.value.is_readable:
        return
    from ..dxc.psv0 import DERIVED, MASKS, psv0_of
    from ..dxc.viewid import recorded_words, view_id_words

    try:
        expected = psv0_of(program.value, state.info_size)
        recorded = recorded_words(program.value)
    except (FormatError, LimitError):  # a finding of the program
        return
    if expected is None or state.info_size < SIZES[1] or state.stage != expected.stage:
        return
    if recorded is not None and recorded != view_id_words(expected):
        found.part("psv.recorded", program, path="dx.viewIdState[0]")
    is_left_out = recorded is None and not any(_has_mask(state, name) for name in MASKS)
    if is_left_out and any(_has_mask(expected, name) for name in MASKS):
        found.part("psv.no-dependence", part)
    for name in DERIVED:
        given, wanted = getattr(state, name), getattr(expected, name)
        if given == wanted:
            continue
        if name in MASKS:
            if not is_left_out:
                _check_masks(found, part, name, given, wanted)
        elif name in LISTS:
            _check_rows(found, part, name, given, wanted)
        elif name == "stage_info":
            _check_fields(found, part, f"{name}.", given, wanted, given.layout.by_name)
        else:
            _check_fields(found, part, "", state, expected, [name])


def _check_fields(
    found: ContainerFindings,
    part: DxPart,
    path: str,
    given: Record,
    wanted: Record,
    names: Iterable[str],
) -> None:
    for name in names:
        one, other = getattr(given, name, None), getattr(wanted, name, None)
        if one != other:
            enum = given.layout.by_name[name].enum
            texts = [_shown(each, enum) for each in (other, one)]
            message = f"expected {texts[0]}, as in the program, got {texts[1]}"
            found.part("psv.state", part, message, f"{path}{name}")


def _shown(value: Any, enum: type[IntEnum] | None) -> str:
    if isinstance(value, int):
        return str(int(value)) if enum is None else named(value, enum)
    return f"{value!r:.80}"


def _check_rows(
    found: ContainerFindings, part: DxPart, path: str, given: list[Any], wanted: list[Any]
) -> None:
    """Compare rows of the same place."""
    for number, (one, other) in enumerate(zip(given, wanted, strict=False)):
        if all(getattr(one, each, 0) == getattr(other, each, 0) for each in PLACES):
            _check_fields(found, part, f"{path}[{number}].", one, other, LISTS[path])


def _has_mask(state: PipelineStateValidation, name: str) -> bool:
    """Return True if a mask, or one of a table of masks, is not zero."""
    masks = getattr(state, name)
    return any(masks) if isinstance(masks, list) else bool(masks)


def _check_masks(
    found: ContainerFindings, part: DxPart, name: str, given: Any, wanted: Any
) -> None:
    """Report the first mask that lacks components, and the first that has too many."""
    is_table = isinstance(given, list)
    masks = list(enumerate(zip(given, wanted, strict=False) if is_table else [(given, wanted)]))
    lacking = [number for number, (one, other) in masks if other & ~one]
    excess = [number for number, (one, other) in masks if one & ~other]
    for code, numbers in (("psv.dependence", lacking), ("psv.excess-dependence", excess)):
        if not numbers:
            continue
        one, other = masks[numbers[0]][1]
        cause = f"input {component_names(1 << numbers[0])}" if is_table else "the view"
        if name == "dependencies_on_patch":
            cause = cause.replace("input", "patch constant")
        more = f"; {len(numbers) - 1} more" if len(numbers) > 1 else ""
        texts = [component_names(each) or "none" for each in (other, one)]
        message = f"{cause}: expected outputs {texts[0]}, as in the program, got {texts[1]}{more}"
        found.part(code, part, message, f"{name}[{numbers[0]}]" if is_table else name)
