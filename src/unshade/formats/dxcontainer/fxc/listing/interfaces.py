"""Class types, class instances and interface slots of dynamic linkage (IFCE).

    // Name                             ID CB Stride Texture Sampler
    // cAmbientLight                     0         1       0       0

    // Name                        Type CB CB Offset Texture Sampler
    // g_ambientLight                 0  0         0       -       -

    // | Type ID  |   0-1   |0    1    2    <          slots 0 and 1 may hold types 0 to 2,
    // | Table ID |         |3    4    5    <          whose function tables are ft3 to ft5

The ID of a class is the number of its row: 10.1 stores 0 for all. Source: listings of fxc. No known
listing contains a slot with more than seven classes.
"""

from .....isa.linked import LinkedLine
from ...parts.ifce import ClassLinkage
from .columns import Column, ColumnTable

NONE = 0xFFFF
NO_PLACE = "-"  # NONE as it is printed
RULE = "+----------+---------+---------------------------------------"
CLASSES = "Available Class Types:"
CLASS_TABLE = ColumnTable(
    Column("Name", 30, left=True),
    Column("ID", 4),
    Column("CB Stride", 9),
    Column("Texture", 7),
    Column("Sampler", 7),
)
INSTANCES = "Available Class Instances:"
INSTANCE_TABLE = ColumnTable(
    Column("Name", 27, left=True),
    Column("Type", 4),
    Column("CB", 2),
    Column("CB Offset", 9),
    Column("Texture", 7),
    Column("Sampler", 7),
)
SLOTS = "Interface slots, {} total:"
SLOTS_HEAD = "            Slots"
TYPES_ROW, TABLES_ROW = "Type ID", "Table ID"


def lines(interfaces: ClassLinkage) -> list[str]:
    """Return the lines of the tables that are not empty."""
    found: list[str] = []
    if interfaces.classes:
        found += ["//", f"// {CLASSES}", "//", *CLASS_TABLE.heads]
        for at, one in enumerate(interfaces.classes):
            counts = one.constant_buffer_stride, one.texture_count, one.sampler_count
            found.append(LinkedLine(CLASS_TABLE.row(one.name, at, *counts), f"classes[{at}]"))
    if interfaces.instances:
        found += ["//", f"// {INSTANCES}", "//", *INSTANCE_TABLE.heads]
        for at, each in enumerate(interfaces.instances):
            places = each.constant_buffer, each.constant_buffer_offset, each.texture, each.sampler
            row = INSTANCE_TABLE.row(each.name, each.type, *map(_or_none, places))
            found.append(LinkedLine(row, f"instances[{at}]"))
    if interfaces.slots:
        total = f"// {SLOTS.format(interfaces.slot_total)}"
        found += ["//", total, "//", f"// {SLOTS_HEAD}", f"// {RULE}"]
        first = 0
        for at, slot in enumerate(interfaces.slots):
            last = first + slot.span - 1
            slots = f"{first}-{last}" if slot.span > 1 else f"{first}"
            types = "".join([f"{each:<5}" for each in slot.type_ids])
            tables = "".join([f"{each:<5}" for each in slot.table_ids])
            path = f"slots[{at}]"
            found.append(LinkedLine(f"// | {TYPES_ROW:<8} |   {slots:<6}|{types}", path))
            found.append(LinkedLine(f"// | {TABLES_ROW:<8} |         |{tables}", path))
            found.append(f"// {RULE}")
            first = last + 1
    return found


def _or_none(value: int) -> str:
    return NO_PLACE if value == NONE else str(value)
