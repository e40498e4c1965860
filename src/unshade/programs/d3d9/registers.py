"""Names of registers in the text, and the registers that names mean.

    r v c t a s b i l p h        r0; the address register a0 of vertex shaders, t0 of pixel shaders
    oPos oFog oPts oD oT oC      outputs; o in vertex shaders of model 3, oDepth
    vPos vFace aL                position in the target, facing, loop counter

Constants from 2,048 on are in register files of their own.

Source: the pages of the assembly language; fxc's listings.
"""

import re

from .tables.tokens import RegisterType, Version

__all__ = ["CONSTANT_FILES", "NAME", "RASTER", "NamedRegister", "file_named", "file_of_name"]

CONSTANTS_PER_FILE = 2048
FILE_COUNT, FILE_SIZE = 32, 2048  # by the bits of a token
OTHER = re.compile(r"file([0-9]{1,2})_([0-9]{1,4})")
RASTER = ("oPos", "oFog", "oPts")
MISCELLANEOUS = ("vPos", "vFace")
LETTERS = {
    RegisterType.TEMP: "r", RegisterType.INPUT: "v", RegisterType.CONST: "c",
    RegisterType.ATTROUT: "oD", RegisterType.CONSTINT: "i", RegisterType.COLOROUT: "oC",
    RegisterType.SAMPLER: "s", RegisterType.CONSTBOOL: "b", RegisterType.TEMPFLOAT16: "h",
    RegisterType.LABEL: "l", RegisterType.PREDICATE: "p",
}  # fmt: skip
CONSTANT_FILES = (
    RegisterType.CONST, RegisterType.CONST2, RegisterType.CONST3, RegisterType.CONST4
)  # fmt: skip
SINGLE: dict[str, tuple[int, int]] = {
    **{name: (RegisterType.RASTOUT, i) for i, name in enumerate(RASTER)},
    **{name: (RegisterType.MISCTYPE, i) for i, name in enumerate(MISCELLANEOUS)},
    "oDepth": (RegisterType.DEPTHOUT, 0),
    "aL": (RegisterType.LOOP, 0),
}
NAMES: dict[tuple[int, int], str] = {place: name for name, place in SINGLE.items()}
FILES = {letter: file for file, letter in LETTERS.items()}
NAME = re.compile(r"(?:o(?:Pos|Fog|Pts|Depth|D|T|C)|vPos|vFace|aL|[A-Za-z])(?![A-Za-z])")


class NamedRegister:
    """A register, whose name depends on the version."""

    __slots__ = ("file", "number", "version")

    def __init__(self, file: int, number: int, version: Version) -> None:
        self.file = file
        self.number = number
        self.version = version

    @property
    def place(self) -> tuple[int, int]:
        """The file and the number; constants of all files are numbered in one."""
        if self.file in CONSTANT_FILES:
            beyond = CONSTANT_FILES.index(RegisterType(self.file))
            return RegisterType.CONST, self.number + CONSTANTS_PER_FILE * beyond
        return self.file, self.number

    def __str__(self) -> str:
        file, number = self.place
        single = NAMES.get((file, number))
        if single is not None:
            return single
        if file == RegisterType.ADDR:
            return f"{'t' if self.version.is_pixel else 'a'}{number}"
        if file == RegisterType.OUTPUT:
            return f"{'oT' if self.version.major < 3 else 'o'}{number}"
        letter = LETTERS.get(file)  # type: ignore[call-overload]
        return f"{letter}{number}" if letter else f"file{file}_{number}"


def file_named(name: str, version: Version) -> tuple[int, int | None] | None:
    """Return the file that letters mean, and the number if they name one register; else None."""
    if name in SINGLE:
        return SINGLE[name]
    if name in ("oT", "o"):
        return RegisterType.OUTPUT, None
    if name == ("t" if version.is_pixel else "a"):
        return RegisterType.ADDR, None
    file = FILES.get(name)
    return None if file is None else (file, None)


def file_of_name(text: str, version: Version) -> tuple[int, int] | None:
    """Return the file and the number of a register by its name, None for other text."""
    found = OTHER.fullmatch(text)
    if found is not None:
        file, number = int(found[1]), int(found[2])
        return (file, number) if file < FILE_COUNT and number < FILE_SIZE else None
    letters = text.rstrip("0123456789")
    digits = text[len(letters) :]
    known = file_named(letters, version)
    if known is None or (known[1] is None) != bool(digits) or len(digits) > 5:
        return None
    file, number = known[0], known[1] if known[1] is not None else int(digits)
    if file == RegisterType.CONST and number < CONSTANTS_PER_FILE * len(CONSTANT_FILES):
        return CONSTANT_FILES[number // CONSTANTS_PER_FILE], number % CONSTANTS_PER_FILE
    return (file, number) if number < FILE_SIZE else None
