"""Names of registers in the text, and the registers that names mean.

    r v c t a s b i l p h        r0; the address register a0 of vertex shaders, t0 of pixel shaders
    oPos oFog oPts oD oT oC      outputs; o in vertex shaders of model 3, oDepth
    vPos vFace aL                position in the target, facing, loop counter

Constants from 2,048 on are in register files of their own.

Source: the pages of the assembly language; fxc's listings.
"""

import re

from .tables.tokens import ProgramKind, RegisterFile, VersionToken

__all__ = ["CONSTANT_FILES", "NAME", "RASTER", "Register", "Version", "file_named"]

SOFTWARE = 0xFF  # minor version of shaders that only software executes
MINORS = {"x": 1, "sw": SOFTWARE}
CONSTANTS_PER_FILE = 2048
RASTER = ("oPos", "oFog", "oPts")
MISCELLANEOUS = ("vPos", "vFace")
LETTERS = {
    RegisterFile.TEMP: "r", RegisterFile.INPUT: "v", RegisterFile.CONST: "c",
    RegisterFile.ATTROUT: "oD", RegisterFile.CONSTINT: "i", RegisterFile.COLOROUT: "oC",
    RegisterFile.SAMPLER: "s", RegisterFile.CONSTBOOL: "b", RegisterFile.TEMPFLOAT16: "h",
    RegisterFile.LABEL: "l", RegisterFile.PREDICATE: "p",
}  # fmt: skip
CONSTANT_FILES = (
    RegisterFile.CONST, RegisterFile.CONST2, RegisterFile.CONST3, RegisterFile.CONST4
)  # fmt: skip
SINGLE: dict[str, tuple[int, int]] = {
    **{name: (RegisterFile.RASTOUT, i) for i, name in enumerate(RASTER)},
    **{name: (RegisterFile.MISCTYPE, i) for i, name in enumerate(MISCELLANEOUS)},
    "oDepth": (RegisterFile.DEPTHOUT, 0),
    "aL": (RegisterFile.LOOP, 0),
}
NAMES: dict[tuple[int, int], str] = {place: name for name, place in SINGLE.items()}
FILES = {letter: file for file, letter in LETTERS.items()}
NAME = re.compile(r"(?:o(?:Pos|Fog|Pts|Depth|D|T|C)|vPos|vFace|aL|[A-Za-z])(?![A-Za-z])")
PROFILE = re.compile(r"[ \t]*(vs|ps)_([1-3])_([0-9x]|sw)(?![\w])", re.ASCII)


class Version(VersionToken):
    """The version token of a program."""

    @property
    def is_pixel(self) -> bool:
        """True for pixel shaders."""
        return self.kind == ProgramKind.PIXEL

    @property
    def profile(self) -> str:
        """The name of the version: `ps_2_0`, `vs_2_x`."""
        minor: int | str = "x" if (self.major, self.minor) == (2, 1) else self.minor
        if self.minor == SOFTWARE:
            minor = "sw"
        return f"{'ps' if self.is_pixel else 'vs'}_{self.major}_{minor}"

    @classmethod
    def named(cls, profile: str) -> "Version | None":
        """Return the version of a profile such as `ps_2_0`; None for other text."""
        found = PROFILE.fullmatch(profile)
        if found is None:
            return None
        kind = ProgramKind.PIXEL if found[1] == "ps" else ProgramKind.VERTEX
        minor = {"x": 1, "sw": SOFTWARE}.get(found[3])
        return cls(
            int(kind) << 16 | int(found[2]) << 8 | (int(found[3]) if minor is None else minor)
        )


class Register:
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
            beyond = CONSTANT_FILES.index(RegisterFile(self.file))
            return RegisterFile.CONST, self.number + CONSTANTS_PER_FILE * beyond
        return self.file, self.number

    def __str__(self) -> str:
        file, number = self.place
        single = NAMES.get((file, number))
        if single is not None:
            return single
        if file == RegisterFile.ADDR:
            return f"{'t' if self.version.is_pixel else 'a'}{number}"
        if file == RegisterFile.OUTPUT:
            return f"{'oT' if self.version.major < 3 else 'o'}{number}"
        letter = LETTERS.get(file)  # type: ignore[call-overload]
        return f"{letter}{number}" if letter else f"file{file}_{number}"


def file_named(name: str, version: Version) -> tuple[int, int | None] | None:
    """Return the file that letters mean, and the number if they name one register; else None."""
    if name in SINGLE:
        return SINGLE[name]
    if name in ("oT", "o"):
        return RegisterFile.OUTPUT, None
    if name == ("t" if version.is_pixel else "a"):
        return RegisterFile.ADDR, None
    file = FILES.get(name)
    return None if file is None else (file, None)
