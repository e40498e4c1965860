"""Checks of parts against the metadata of the DXIL program.

    !{i32 0, !"POSITION", i8 9, …}          ISG1   POSITION 0 xyz, register 0
    !{i32 0, %buf* undef, !"t", i32 0, …}   PSV0   SRV, space 0, registers 0 to 0
    !{i32 0, i64 16, …}                     SFI0   features

PSV0 does not contain names, and the runtime reads only the parts: if they are wrong, the program is
bound wrongly.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from ....errors import FormatError, LimitError
from ....model import Stage
from ....model.facts import ProgramFacts, ProgramPort, ProgramResource
from ....vocab.d3d import UNBOUNDED, ShaderKind
from ....vocab.features import FEATURES
from ....vocab.numbers import components
from ..part import DxPart
from ..parts.dxil import is_dxil, whole_facts
from ..parts.psv0 import PipelineStateValidation, PsvResource
from ..parts.sfi0 import FeatureInfo
from ..parts.signature import ProgramSignature, SignatureElement
from .places import ContainerFindings, registers, stage_of

__all__ = ["check_bitcode"]

OUTSIDE = 0xFFFF_FFFF
# By type of a resource in PSV0: sampler, CBV, SRVs, UAVs.
CLASSES = {1: "s", 2: "b", 3: "t", 4: "t", 5: "t", 6: "u", 7: "u", 8: "u", 9: "u"}
DIGITS = {each.name: bit for bit, each in enumerate(FEATURES)}
LETTERS = "xyzw"

# Name, index, register or -1, mask (0 without a register), stream.
Element = tuple[str, int, int, int, int]
Range = tuple[str, int, int, int]  # class, space, first, last


def check_bitcode(found: ContainerFindings, part: DxPart) -> None:
    """Compare signatures, PSV0 and SFI0 with a program that can be read."""
    program = part.value
    if not is_dxil(program) or not program.is_readable:
        return
    try:
        facts = whole_facts(program)
    except (FormatError, LimitError):  # a finding of the program
        return
    if facts.stage == Stage.LIBRARY:
        return
    needs_parts = part.name == "DXIL" and stage_of(part) != ShaderKind.LIBRARY
    for name, ports in (
        ("ISG1", facts.inputs),
        ("OSG1", facts.outputs),
        ("PSG1", facts.patch_constants),
    ):
        signature = found.first(name)
        if signature is None and name == "PSG1" and ports and needs_parts:
            found.part("dxil.parts", part, f"no part {name}")
        if facts.stage == Stage.MESH and name != "ISG1":
            continue  # dxc repeats the rows of outputs that are parameters
        rows = None if signature is None else signature.reading.value
        if signature is not None and isinstance(rows, ProgramSignature):
            _check_signature(found, signature, rows.elements, ports)
    state = found.first("PSV0")
    stated = None if state is None else state.reading.value
    if state is not None and isinstance(stated, PipelineStateValidation):
        _check_resources(found, state, stated.resources, facts.resources)
    if part.name == "DXIL":  # containers with ILDB alone, as PDBs have them, lack SFI0
        _check_features(found, part, facts)


def _check_signature(
    found: ContainerFindings,
    part: DxPart,
    elements: Iterable[SignatureElement],
    ports: Iterable[ProgramPort],
) -> None:
    """Compare the rows of a signature with the elements of the program, in any order."""
    stated = Counter(map(_element_of, ports))
    for i, row in enumerate(elements):
        register = row.register if row.register < OUTSIDE else -1
        mask = row.mask if register >= 0 else 0
        key = row.name.lower(), row.index, register, mask, row.stream or 0
        if not stated[key]:
            message = f"the program has no {_described(key)}"
            found.part("signature.program", part, message, f"elements[{i}]")
        stated[key] -= 1
    for key in (+stated).elements():
        message = f"{_described(key)} is only in the program"
        found.part("signature.program", part, message, "elements")


def _element_of(port: ProgramPort) -> Element:
    place = port.slot.place
    register = place if isinstance(place, int) else -1
    mask = sum(1 << LETTERS.index(each) for each in port.components) if register >= 0 else 0
    return port.name.lower(), port.index or 0, register, mask, port.slot.stream


def _described(element: Element) -> str:
    name, index, register, mask, stream = element
    where = "no register" if register < 0 else f"register {register}.{components(mask)}"
    return f"{name} {index} in {where}" + (f" of stream {stream}" if stream else "")


def _check_resources(
    found: ContainerFindings,
    part: DxPart,
    resources: Iterable[PsvResource],
    declared: Iterable[ProgramResource],
) -> None:
    stated = set(_ranges(resources))
    bound = {
        (each.resource.register_class, each.resource.space or 0, *registers(each.resource))
        for each in declared
    }
    for which, those, others in (("program", stated, bound), ("PSV0", bound, stated)):
        for letter, space, first, last in sorted(those - others):
            end = "" if last == first else " on" if last == UNBOUNDED else f" to {letter}{last}"
            message = f"{letter}{first}{end}, space {space} is not in the {which}"
            found.part("psv.program", part, message.replace("the PSV0", "PSV0"), "resources")


def _ranges(resources: Iterable[PsvResource]) -> Iterator[Range]:
    for each in resources:
        letter = CLASSES.get(each.type)
        if letter is not None:
            yield letter, each.space, each.lower_bound, each.upper_bound


def _check_features(found: ContainerFindings, part: DxPart, facts: ProgramFacts) -> None:
    info = found.first("SFI0")
    value = None if info is None else info.reading.value
    flags = value.flags if isinstance(value, FeatureInfo) else 0
    for name in facts.features:
        if not flags >> DIGITS[name] & 1:
            found.part("sfi0.missing", part, f"{name} is not in SFI0: the program's flags have it")
