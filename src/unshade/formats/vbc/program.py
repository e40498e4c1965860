"""The modules of the stages as programs: the interface to `programs.spirv`.

Only this module and the folder `vslc`, which knows the code that the compiler makes, use modules of
`programs.spirv`.
"""

from collections.abc import Mapping, Sequence

from ...errors import AssembleError, FormatError, LimitError
from ...limits import Limits
from ...programs.spirv.extent import measure
from ...programs.spirv.module import Module
from ...programs.spirv.program import Program
from ...rule import Rule
from ...wire.data import Plain, hex_from_data

__all__ = [
    "STAGE_WORDS",
    "AssembleError",
    "Program",
    "module_from_data",
    "module_to_data",
    "program_of",
    "read_module",
    "rules",
    "split_modules",
    "stage_of",
]

# Names of the stages in VSL, with the neutral words.
STAGE_WORDS = {
    "vert": "vertex",
    "tesc": "hull",
    "tese": "domain",
    "geom": "geometry",
    "frag": "pixel",
}


def program_of(data: bytes, limits: Limits) -> Program | FormatError | LimitError:
    """Return the program of a module, or the error if it is not SPIR-V."""
    try:
        return Program(Module.loads(data, limits))
    except (FormatError, LimitError) as error:
        return error.with_traceback(None)


def split_modules(data: bytes) -> Sequence[int] | None:
    """Return the words of consecutive modules by stage in the order of the header.

    Return None if the data are not modules of different stages in that order. A missing stage has 0
    words.
    """
    found = dict.fromkeys(STAGE_WORDS, 0)
    places = list(found)
    at, last = 0, -1
    while at < len(data):
        try:
            size = measure(data[at:])
        except FormatError:
            return None
        stage = stage_of(Program(Module.loads(data[at : at + size])))
        if stage is None or places.index(stage) <= last:
            return None
        last = places.index(stage)
        found[stage] = size // 4
        at += size
    return list(found.values())


def stage_of(program: Program) -> str | None:
    """Return VSL's name of the stage of a module's first entry point; None for other stages."""
    names = {word: name for name, word in STAGE_WORDS.items()}
    return next((names.get(stage) for _, stage in program.entry_points), None)


def module_to_data(code: bytes, program: Program | None) -> Plain:
    """Return a module as plain data: header and lines, or its bytes if it is not SPIR-V."""
    return code.hex() if program is None else program.to_data()


def module_from_data(data: Plain, path: str) -> bytes:
    """Return the bytes of a module; FormatError if they cannot be made."""
    if isinstance(data, str):
        return hex_from_data(data, path)
    return Program.from_data(data, path).encode()


def read_module(text: str, file: str, version: str | None) -> Program:
    """Assemble the text of a module.

    Args:
        text: Text of either dialect.
        file: Name of the text in messages.
        version: Version of SPIR-V for a native text, such as 1.5; None for vslc's.
    """
    return Program.assemble(text, file=file, target=f"spv{version or '1.5'}")


def rules() -> Mapping[str, Rule]:
    """Return the rules for modules."""
    return Program.rules()
