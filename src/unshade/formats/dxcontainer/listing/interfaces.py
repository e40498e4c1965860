"""Class types, class instances and interface slots: what dynamic linkage may bind (IFCE).

    // Name                             ID CB Stride Texture Sampler
    // cAmbientLight                     0         1       0       0

    // Name                        Type CB CB Offset Texture Sampler
    // g_ambientLight                 0  0         0       -       -

    // | Type ID  |   0-1   |0    1    2    <          slots 0 and 1 may hold types 0 to 2,
    // | Table ID |         |3    4    5    <          whose function tables are ft3 to ft5

The ID of a class is its place in the table: 10.1 stores 0 for all. Source: listings of fxc. None
shows a slot that more than seven classes fit.
"""

from ..parts.ifce import Interfaces

NONE = 0xFFFF
RULE = "// +----------+---------+---------------------------------------"


def lines(interfaces: Interfaces) -> list[str]:
    """The tables; none where it would be empty."""
    found = []
    if interfaces.classes:
        found += [
            "//",
            "// Available Class Types:",
            "//",
            "// Name                             ID CB Stride Texture Sampler",
            "// ------------------------------ ---- --------- ------- -------",
        ]
        found += [
            f"// {each.name:<30} {number:>4} {each.constant_buffer_stride:>9}"
            f" {each.texture_count:>7} {each.sampler_count:>7}"
            for number, each in enumerate(interfaces.classes)
        ]
    if interfaces.instances:
        found += [
            "//",
            "// Available Class Instances:",
            "//",
            "// Name                        Type CB CB Offset Texture Sampler",
            "// --------------------------- ---- -- --------- ------- -------",
        ]
        found += [
            f"// {each.name:<27} {each.type:>4} {_or_none(each.constant_buffer):>2}"
            f" {_or_none(each.constant_buffer_offset):>9} {_or_none(each.texture):>7}"
            f" {_or_none(each.sampler):>7}"
            for each in interfaces.instances
        ]
    if interfaces.slots:
        total = f"// Interface slots, {interfaces.slot_total} total:"
        found += ["//", total, "//", "//             Slots", RULE]
        first = 0
        for slot in interfaces.slots:
            last = first + slot.span - 1
            slots = f"{first}-{last}" if slot.span > 1 else f"{first}"
            types = "".join([f"{each:<5}" for each in slot.type_ids])
            tables = "".join([f"{each:<5}" for each in slot.table_ids])
            found += [f"// | Type ID  |   {slots:<6}|{types}", f"// | Table ID |         |{tables}"]
            found.append(RULE)
            first = last + 1
    return found


def _or_none(value: int) -> str:
    return "-" if value == NONE else str(value)
