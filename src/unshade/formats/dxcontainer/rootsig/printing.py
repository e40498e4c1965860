"""A root signature as text: a clause in each line."""

from collections.abc import Sequence
from typing import Any

from ....errors import UnsupportedError
from ....wire.floats import f32_to_bits
from ..parts.rts0 import (
    Constants,
    DescriptorTable,
    Parameter,
    SerializedRootSignature,
)
from .arguments import (
    CONSTANTS,
    DESCRIPTOR,
    RANGE,
    RANGES,
    ROOT_DESCRIPTORS,
    ROOT_FLAGS,
    SAMPLER,
    VISIBILITY,
    ClauseArgument,
)

__all__ = ["to_text"]


def to_text(record: SerializedRootSignature) -> str:
    """Return a root signature in HLSL, one clause per line.

    Raises:
        UnsupportedError: A range or parameter is of an unknown kind.
    """
    clauses = []
    if record.flags:
        clauses.append(f"RootFlags({ROOT_FLAGS.show(record.flags)})")
    clauses += [_parameter(each) for each in record.parameters]
    for sampler in record.samplers:
        clauses.append(_clause("StaticSampler", f"s{sampler.register}", SAMPLER, sampler))
    return ",\n".join(clauses)


def _parameter(parameter: Parameter) -> str:
    payload = parameter.payload
    outer = {"visibility": parameter.visibility}
    if isinstance(payload, DescriptorTable):
        words = [_range(each) for each in payload.ranges]
        words += _words((VISIBILITY,), parameter, {})
        return f"DescriptorTable({', '.join(words)})"
    if isinstance(payload, Constants):
        count = f"num32BitConstants={payload.count}, b{payload.register}"
        return _clause("RootConstants", count, CONSTANTS, payload, outer)
    name, letter = ROOT_DESCRIPTORS.get(parameter.kind, ("", ""))  # type: ignore[call-overload]
    if not name:
        raise UnsupportedError(f"unknown kind of root parameter: {parameter.kind}")
    return _clause(name, f"{letter}{payload.register}", DESCRIPTOR, payload, outer)


def _range(each: Any) -> str:
    name, letter = RANGES.get(each.kind, ("", ""))
    if not name:
        raise UnsupportedError(f"unknown kind of descriptor range: {each.kind}")
    return _clause(name, f"{letter}{each.base_register}", RANGE, each)


def _clause(
    name: str, first: str, arguments: Sequence[ClauseArgument], values: Any, others: Any = None
) -> str:
    return f"{name}({', '.join([first, *_words(arguments, values, others or {})])})"


def _words(arguments: Sequence[ClauseArgument], values: Any, others: dict[str, int]) -> list[str]:
    """Return the arguments that differ from their defaults."""
    found = []
    for each in arguments:
        name = each.attribute
        value = others[name] if name in others else getattr(values, name)
        if not _same(value, each.default):
            found.append(f"{each.name}={each.form.show(value)}")
    return found


def _same(value: Any, default: Any) -> bool:
    if isinstance(default, float):
        return f32_to_bits(value) == f32_to_bits(default)
    return bool(value == default)
