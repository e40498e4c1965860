"""Registers of a shader unit, and their numbers in instructions.

    v0-v15   inputs           read        4 x f24     attributes; in a geometry shader, of vertices
    r0-r15   temporaries      read, write 4 x f24
    c0-c95   float uniforms   read        4 x f24     the only file with relative addressing
    o0-o15   outputs          write       4 x f24     o0-o6 reach the rasteriser
    i0-i3    integer uniforms read        4 x u8      iterations of a loop minus 1, initial aL, step
    b0-b15   boolean uniforms read        1 bit
    a0       address          mova        x and y, integers
    aL       loop counter     for         an integer
    cmp      conditions       cmp, litp   x and y, 1 bit each

    number     00-0f   10-1f   20-7f
    source     v       r       c          7 bits ("wide"); 5 bits ("narrow") reach only v and r
    dest.      o       r

Source: 3dbrew's page on the shader instruction set; nihstro's and picasso's encoders agree, as do
all 137 programs of the corpus.
"""

from ....enums import IntEnum, StrEnum
from ....tuples import NamedTuple
from ....vocab.pica import FLOATS, INPUTS, OUTPUTS, TEMPORARIES
from ....vocab.slots import ResourceClass, ResourceSlot


class RegisterFile(StrEnum):
    """A register file, by the letter before the number."""

    INPUT = "v"
    TEMPORARY = "r"
    FLOAT = "c"
    OUTPUT = "o"
    INTEGER = "i"
    BOOL = "b"


class Register(NamedTuple):
    """One register, such as `c12`."""

    file: RegisterFile
    number: int

    def __str__(self) -> str:
        return f"{self.file}{self.number}"


class AddressRegister(IntEnum):
    """IDX: the address register that is added to the number of a float uniform."""

    NONE = 0
    A0_X = 1
    A0_Y = 2
    AL = 3


# The register files that the application sets, with their binding slots.
BANK_SLOTS: dict[str, ResourceSlot] = {
    file: ResourceSlot(ResourceClass.REGISTER_BANK, number)
    for number, file in enumerate((RegisterFile.FLOAT, RegisterFile.INTEGER, RegisterFile.BOOL))
}
ADDRESS_NAMES = ("", "a0.x", "a0.y", "aL")


def _file(file: RegisterFile, count: int) -> list[Register]:
    return [Register(file, number) for number in range(count)]


_TEMPORARIES = _file(RegisterFile.TEMPORARY, TEMPORARIES)
SOURCES = (*_file(RegisterFile.INPUT, INPUTS), *_TEMPORARIES, *_file(RegisterFile.FLOAT, FLOATS))
DESTINATIONS = (*_file(RegisterFile.OUTPUT, OUTPUTS), *_TEMPORARIES)
NARROW = len(DESTINATIONS)  # sources below this number fit five bits
_SOURCE_NUMBERS = {register: number for number, register in enumerate(SOURCES)}
_DESTINATION_NUMBERS = {register: number for number, register in enumerate(DESTINATIONS)}


def source_number(register: Register) -> int | None:
    """Return the number of a source register, None if it cannot be one; wide from `NARROW` on."""
    return _SOURCE_NUMBERS.get(register)


def destination_number(register: Register) -> int | None:
    """Return the number of a destination register, None if it cannot be one."""
    return _DESTINATION_NUMBERS.get(register)


def source_name(number: int) -> str:
    """Return the name of a source: 0x25 is "c5"."""
    return str(SOURCES[number])


def destination_name(number: int) -> str:
    """Return the name of a destination: 0x12 is "r2"."""
    return str(DESTINATIONS[number])


def bool_name(number: int) -> str:
    """Return the name of a boolean uniform: 3 is "b3"."""
    return f"b{number}"


def integer_name(number: int) -> str:
    """Return the name of an integer uniform: 3 is "i3"; registers from 4 on do not exist."""
    return f"i{number}"


def address_name(number: int) -> str:
    """Return the name of an address register: 1 is "a0.x", 0 is ""."""
    return ADDRESS_NAMES[number]
