"""Forms of the tables by version of the compiler that a file names.

                          9.29 and before   9.30   6.3   10.x, and files that name no compiler
    line `///` at the top                   yes
    format column of signatures  6 wide        7     7   7
    resource columns      Slot, Elements     yes   yes   HLSL Bind, Count

6.3.9600 is newer than 9.30.9200: the Windows 8.1 kit renumbered the compiler. Source: listings
of 9.29, 9.30 and 10.1 with their containers, public listings of 6.3.

A newer d3dcompiler prints the tables of an old file in its own form, so that the compiler that made
the file does not always determine the form. The difference matters for fxc, which prints the file
it has compiled.
"""

from .....tuples import NamedTuple
from .....vocab import fxc


class Generation(NamedTuple):
    """The form of the tables in one generation of compilers."""

    name: str
    slashes: bool = False  # `///` after the banner
    format_width: int = 7  # of the column Format of signatures
    slots: bool = False  # Slot and Elements instead of HLSL Bind and Count


GENERATIONS = {
    each.name: each
    for each in (
        Generation("9.29", format_width=6, slots=True),
        Generation("9.30", slashes=True, slots=True),
        Generation("6.3", slots=True),
        Generation("10.1"),
    )
}
NEWEST = GENERATIONS["10.1"]


def of_creator(creator: str | None) -> Generation:
    """Return the generation of the compiler that RDEF names, or the newest if it names none."""
    version = fxc.version(creator)
    if version is None or fxc.modern(creator):
        return NEWEST
    if version[0] == 6:
        return GENERATIONS["6.3"]
    return GENERATIONS["9.30" if version >= (9, 30) else "9.29"]
