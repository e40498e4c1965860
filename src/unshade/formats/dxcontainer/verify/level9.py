"""Checks of Aon9, the program for feature level 9, against the program beside it.

    kind 0xFFFE                      the program is a vertex shader
    cb0[2..5] -> c3                  it declares cb0 with at least 6 registers
    s1, t0 -> s0                     it declares s1 and t0

The tokens are verified by the rules of Direct3D 9 programs; they are not compared with the program.
"""

from collections.abc import Iterator

from ....errors import FormatError, LimitError
from ....model import Stage
from ..part import DxPart
from ..parts.level9 import Level9Kind, Level9Program
from .places import ContainerFindings, Problem, registers
from .rules import RULES

__all__ = ["check_level9"]

STAGES = {Level9Kind.VERTEX: Stage.VERTEX, Level9Kind.PIXEL: Stage.PIXEL}
REGISTER = 16  # bytes


def check_level9(found: ContainerFindings) -> None:
    """Verify the tokens, and compare stage and registers with those of the first program."""
    part = found.first("Aon9")
    value = None if part is None else part.reading.value
    declared = found.declared
    if part is None or not isinstance(value, Level9Program):
        return
    _check_tokens(found, part, value)
    if declared is None:
        return
    stage = STAGES.get(value.kind)  # type: ignore[call-overload]
    if stage != declared.stage:
        message = f"expected a {declared.stage} shader, got {stage or f'kind 0x{value.kind:x}'}"
        found.part("aon9.stage", part, message, "kind")
        return
    found.problems(part, _undeclared(found, value))


def _check_tokens(found: ContainerFindings, part: DxPart, value: Level9Program) -> None:
    try:
        program = value.program()
    except FormatError as error:
        problem = RULES["aon9.code"].found(error.problem, offset=error.offset, path=error.path)
        found.within(part, [problem], "tokens")
        return
    except LimitError as error:
        found.part("part.limit", part, str(error), "tokens")
        return
    version = program.version
    if (version.kind, version.major) != (value.kind, value.major):
        message = f"expected version {version.profile} of the tokens, got "
        message += f"kind 0x{value.kind:x}, major version {value.major}"
        found.part("aon9.version", part, message, "kind" if version.kind != value.kind else "major")
    found.within(part, program.verify(), "tokens")


def _undeclared(found: ContainerFindings, value: Level9Program) -> Iterator[Problem]:
    declared = found.declared
    assert declared is not None
    sizes: dict[int, int] = {}
    bound: dict[str, list[tuple[int, int]]] = {}
    for each in declared.resources:
        letter = each.resource.register_class
        if letter is not None:
            bound.setdefault(letter, []).append(registers(each.resource))
    for buffer in declared.constant_buffers:
        if buffer.resource is not None:
            sizes[declared.resources[buffer.resource].resource.register] = buffer.size
    for i, mapping in enumerate(value.constants):
        last = mapping.start + mapping.count - 1
        have = sizes.get(mapping.buffer, 0) // REGISTER
        if last >= have:
            message = f"cb{mapping.buffer}[{last}] is not declared: it has {have} registers"
            yield "aon9.register", message, f"constants[{i}]"
    for i, pair in enumerate(value.samplers):
        for letter, number in (("s", pair.sampler), ("t", pair.texture)):
            if not any(first <= number <= last for first, last in bound.get(letter, ())):
                yield "aon9.register", f"{letter}{number} is not declared", f"samplers[{i}]"
