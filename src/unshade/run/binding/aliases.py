"""Blocks that share a descriptor: the members of each lie in the same bytes.

    layout(set=1, binding=0) uniform A { vec4 a; };            a        bytes 0 to 15
    layout(set=1, binding=0) uniform B { vec4 b; vec4 c; };    b, c     bytes 0 to 31

A value is given by the members of either block, or by members of both that do not contradict each
other. If two members share a name but differ in place, the second is qualified by its block: `A.x`.
"""

from collections.abc import Mapping
from copy import copy

from ...model import ConstantBuffer, Variable

__all__ = ["Renamed", "merged"]

Renamed = dict[str, dict[str, str]]  # by block: the names of its members in the merged block


def merged(
    buffer: ConstantBuffer, others: Mapping[str, ConstantBuffer]
) -> tuple[ConstantBuffer, Renamed]:
    """Return the union of several blocks, and the new names of the others' members."""
    members: dict[str, Variable] = {each.name: each for each in buffer.variables}
    renamed: Renamed = {}
    for block, other in others.items():
        names = renamed.setdefault(block, {})
        for each in other.variables:
            known = members.get(each.name)
            name = each.name
            if known is not None and (known.offset, known.type) != (each.offset, each.type):
                name = f"{block}.{each.name}"
            names[each.name] = name
            one = copy(each)
            one.name, one.used = name, each.used or (known is not None and known.used is True)
            if name not in members or one.used:
                members[name] = one
    made = copy(buffer)
    made.variables = list(members.values())
    return made, renamed
