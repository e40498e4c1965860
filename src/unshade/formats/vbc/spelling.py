"""Spellings of numbers in the records of VBC.

stages    0x11    vert|frag      the bits of VkShaderStageFlags; 0 is `none`
"""

from typing import Any

from ...errors import FormatError

__all__ = ["NAMES", "STAGES", "stages_of"]

NAMES = ("vert", "tesc", "tese", "geom", "frag")  # in the order of the header; VSL's names
NONE = "none"


class StageSpelling:
    """Spelling of a mask of stages."""

    def shown(self, number: int) -> int | str:
        """Return the stages, such as `vert|frag`, or the number if other bits are set."""
        if number >> len(NAMES):
            return number
        return "|".join(stages_of(number)) or NONE

    def number(self, given: object, path: str) -> int:
        """Return the bits of stages or of a number; FormatError if it is neither."""
        if isinstance(given, int) and not isinstance(given, bool):
            return given
        if given == NONE:
            return 0
        if isinstance(given, str):
            names = given.split("|")
            if set(names) <= set(NAMES) and len(set(names)) == len(names):
                return sum(1 << NAMES.index(name) for name in names)
        raise FormatError(
            f"expected {NONE}, stages such as vert|frag, or a number, got {given!r:.40}", path=path
        )

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema: stages or a number."""
        one = "|".join(NAMES)
        return {
            "anyOf": [
                {"type": "string", "pattern": rf"^({NONE}|({one})(\|({one}))*)$"},
                {"type": "integer", "minimum": 0, "maximum": 0xFFFF},
            ]
        }


def stages_of(mask: int) -> list[str]:
    """Return the names of the stages in a mask; other bits are ignored."""
    return [name for at, name in enumerate(NAMES) if mask >> at & 1]


STAGES = StageSpelling()
