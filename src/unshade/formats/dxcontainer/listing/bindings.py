"""Resource Bindings: one row for each binding of RDEF.

    Name                                 Type  Format         Dim      HLSL Bind  Count      10.x
    Name                                 Type  Format         Dim      ID      HLSL Bind  Count  5.1
    Name                                 Type  Format         Dim Slot Elements              before

The 10.x rows end with a blank. Source: listings of fxc.
"""

from ..parts.rdef import Binding, ResourceDefinition
from .generation import Generation
from .names import COMPARISON_SAMPLER, DIMENSIONS, FORMATS, MULTISAMPLED, RESOURCES, Resource

COMPARISON = 2  # bit of the binding's flags
NOT_APPLICABLE = 0xFFFFFFFF
COLUMNS = "// Name                                 Type  Format         Dim"
RULES = "// ------------------------------ ---------- ------- -----------"
BEFORE_10 = [f"{COLUMNS} Slot Elements", f"{RULES} ---- --------"]
SINCE_10 = [f"{COLUMNS}      HLSL Bind  Count", f"{RULES} -------------- ------"]
WITH_ID = [f"{COLUMNS}      ID      HLSL Bind  Count", f"{RULES} ------- -------------- ------"]


def lines(rdef: ResourceDefinition, generation: Generation) -> list[str]:
    """The table, nothing where there is no binding."""
    if not rdef.bindings:
        return []
    ranged = (rdef.major, rdef.minor) >= (5, 1)
    heads = BEFORE_10 if generation.slots else WITH_ID if ranged else SINCE_10
    found = ["// Resource Bindings:", "//", *heads]
    for binding in rdef.bindings:
        kind = RESOURCES.get(binding.kind)
        if kind is None:
            kind = Resource(str(int(binding.kind)), None, None, "")
        elif kind.type == "sampler" and binding.flags & COMPARISON:
            kind = COMPARISON_SAMPLER
        form = kind.format or _format(binding)
        shape = kind.dimension or _dimension(binding)
        first = f"// {binding.name:<30} {kind.type:>10} {form:>7} {shape:>11}"
        if generation.slots:
            found.append(f"{first} {binding.bind_point:>4} {binding.bind_count:>8}")
            continue
        register = f"{kind.register}{binding.bind_point}"
        if not ranged:
            found.append(f"{first} {register:>14} {binding.bind_count:>6} ")
            continue
        if binding.space:
            register += f",space{binding.space}"
        identity = f"{kind.register.upper()}{binding.id}"
        found.append(f"{first} {identity:>7} {register:>14} {_count(binding, kind):>6} ")
    found += ["//", "//"]
    return found


def _format(binding: Binding) -> str:
    word = FORMATS.get(binding.return_type, "")
    count = (binding.flags >> 2 & 3) + 1
    return f"{word}{count}" if count > 1 else word


def _dimension(binding: Binding) -> str:
    word = DIMENSIONS.get(binding.dimension, "")
    if binding.dimension in MULTISAMPLED and binding.sample_count not in (0, NOT_APPLICABLE):
        return f"{word}{binding.sample_count}"
    return word


def _count(binding: Binding, kind: Resource) -> str:
    """Registers of a 5.1 range; 0 is no end, which the row of a constant buffer says in figures."""
    if binding.bind_count:
        return str(binding.bind_count)
    return "4294967295" if kind.register == "cb" else "unbounded"
