"""Textual forms of the packed numbers in PSV0 and RDAT.

    0x0000_00a3      "0.xy 1.yw"       components of signature vectors, four bits each, x lowest
    0x53             "yzw"             columns of a signature element: 3, from y on, allocated

Source: DXC DxilPipelineStateValidation.h.
"""

from typing import Any

from ....errors import FormatError

LETTERS = "xyzw"
ALLOCATED = 0x40
MOST_VECTORS = 1024


class ComponentMask:
    """A set of components as text, such as `0.xy 3.w`; empty if there are none."""

    def shown(self, number: int) -> int | float | str:
        return component_names(number)

    def number(self, given: object, path: str) -> int:
        if isinstance(given, int) and not isinstance(given, bool):
            return given
        mask = 0
        for each in given.split() if isinstance(given, str) else [given]:
            vector, dot, letters = str(each).partition(".")
            if not (dot and letters and vector.isdecimal() and int(vector) < MOST_VECTORS):
                raise FormatError(f"expected text such as '0.xy 3.w', got {given!r:.40}", path=path)
            for letter in letters:
                if letter not in LETTERS:
                    problem = f"expected components x, y, z or w, got {each!r:.40}"
                    raise FormatError(problem, path=path)
                mask |= 1 << 4 * int(vector) + LETTERS.index(letter)
        return mask

    def schema(self) -> dict[str, Any]:
        return {
            "anyOf": [
                {"type": "string", "pattern": r"^([0-9]+\.[xyzw]+( [0-9]+\.[xyzw]+)*)?$"},
                {"type": "integer", "minimum": 0},
            ]
        }


def component_names(mask: int) -> str:
    """Return the components in a mask as text, such as `0.xy 3.w`."""
    found, vector = [], 0
    while mask:
        letters = "".join(letter for bit, letter in enumerate(LETTERS) if mask >> bit & 1)
        if letters:
            found.append(f"{vector}.{letters}")
        mask >>= 4
        vector += 1
    return " ".join(found)


def _columns() -> dict[int, str]:
    """Return the spelling of each valid number of columns."""
    found = {count: f"{count} unallocated" for count in range(5)}
    for start in range(4):
        for count in range(1, 5 - start):
            packed = ALLOCATED | start << 4 | count
            found[packed] = LETTERS[start : start + count]
    return found


def _dynamic() -> dict[int, str]:
    """Return the spelling of each mask of dynamically indexed components, with its stream."""
    found = {}
    for stream in range(4):
        for mask in range(16):
            letters = "".join(letter for bit, letter in enumerate(LETTERS) if mask >> bit & 1)
            words = [f"stream {stream}"] if stream else []
            found[stream << 4 | mask] = ", ".join([letters, *words] if letters else words)
    return found


class Words:
    """Numbers with a text each; other numbers are shown as numbers."""

    def __init__(self, words: dict[int, str]) -> None:
        self.words = words
        self.numbers = {text: number for number, text in words.items()}

    def shown(self, number: int) -> int | float | str:
        return self.words.get(number, number)

    def number(self, given: object, path: str) -> int:
        if isinstance(given, int) and not isinstance(given, bool):
            return given
        found = self.numbers.get(given) if isinstance(given, str) else None
        if found is None:
            some = ", ".join(map(repr, list(self.numbers)[:8]))
            raise FormatError(
                f"expected a number or one of {some}, …, got {given!r:.40}", path=path
            )
        return found

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"enum": list(self.numbers)}, {"type": "integer", "minimum": 0}]}


COMPONENTS = ComponentMask()
COLUMNS = Words(_columns())
DYNAMIC = Words(_dynamic())
