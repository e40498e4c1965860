"""Resource Bindings: one row for each binding of RDEF.

    Name                                 Type  Format         Dim      HLSL Bind  Count      10.x
    Name                                 Type  Format         Dim      ID      HLSL Bind  Count  5.1
    Name                                 Type  Format         Dim Slot Elements              older

The 10.x rows end with a blank. Source: listings of fxc.
"""

from .....isa.linked import LinkedLine
from .....vocab.d3d import UNBOUNDED
from ...parts.rdef import RdefBinding, ResourceDefinition
from .columns import Column, ColumnTable
from .generation import Generation
from .names import COMPARISON_SAMPLER, DIMENSIONS, FORMATS, MULTISAMPLED, RESOURCES, BindingWords

COMPARISON = 2  # bit of the binding's flags
NOT_APPLICABLE = 0xFFFFFFFF
TITLE = "Resource Bindings:"
COLUMNS = (
    Column("Name", 30, left=True),
    Column("Type", 10),
    Column("Format", 7),
    Column("Dim", 11),
)
REGISTER, COUNT, ID = Column("HLSL Bind", 14), Column("Count", 6), Column("ID", 7)
BEFORE_10 = ColumnTable(*COLUMNS, Column("Slot", 4), Column("Elements", 8))
SINCE_10 = ColumnTable(*COLUMNS, REGISTER, COUNT, end=" ")
WITH_ID = ColumnTable(*COLUMNS, ID, REGISTER, COUNT, end=" ")
NO_LIMIT, NO_LIMIT_BUFFER = "unbounded", str(UNBOUNDED)  # a count of 0


def lines(rdef: ResourceDefinition, generation: Generation) -> list[str]:
    """Return the lines of the table; none if there is no binding."""
    if not rdef.bindings:
        return []
    ranged = (rdef.major, rdef.minor) >= (5, 1)
    table = BEFORE_10 if generation.slots else WITH_ID if ranged else SINCE_10
    found = [f"// {TITLE}", "//", *table.heads]
    for at, binding in enumerate(rdef.bindings):
        kind = RESOURCES.get(binding.kind)
        if kind is None:
            kind = BindingWords(str(int(binding.kind)), None, None, "")
        elif kind.type == "sampler" and binding.flags & COMPARISON:
            kind = COMPARISON_SAMPLER
        form = kind.format or _format(binding)
        shape = kind.dimension or _dimension(binding)
        cells: list[object] = [binding.name, kind.type, form, shape]
        if generation.slots:
            cells += [binding.bind_point, binding.bind_count]
        elif ranged:
            space = f",space{binding.space}" if binding.space else ""
            cells.append(f"{kind.register.upper()}{binding.id}")
            cells += [f"{kind.register}{binding.bind_point}{space}", _count(binding, kind)]
        else:
            cells += [f"{kind.register}{binding.bind_point}", binding.bind_count]
        found.append(LinkedLine(table.row(*cells), f"bindings[{at}]"))
    found += ["//", "//"]
    return found


def _format(binding: RdefBinding) -> str:
    word = FORMATS.get(binding.return_type, "")
    count = (binding.flags >> 2 & 3) + 1
    return f"{word}{count}" if count > 1 else word


def _dimension(binding: RdefBinding) -> str:
    word = DIMENSIONS.get(binding.dimension, "")
    if binding.dimension in MULTISAMPLED and binding.sample_count not in (0, NOT_APPLICABLE):
        return f"{word}{binding.sample_count}"
    return word


def _count(binding: RdefBinding, kind: BindingWords) -> str:
    """Return the number of registers of a 5.1 range; unbounded buffers print as 4294967295."""
    if binding.bind_count:
        return str(binding.bind_count)
    return NO_LIMIT_BUFFER if kind.register == "cb" else NO_LIMIT
