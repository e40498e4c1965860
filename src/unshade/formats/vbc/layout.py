"""The layout of a file: the form of its subpass inputs, determined by the file's size.

    size = end of the reflection with records of 4 bytes      the documented form
    … + 44 × n                                                objects of libstdc++ or MSVC
    … + 36 × n                                                objects of libc++

The file ends after the last word of the last module, so any other size is refused. Inside larger
data, the size is unknown; the modules must then begin with the magic number of SPIR-V.
"""

from ...errors import FormatError
from ...limits import DEFAULT, Limits
from ...tuples import NamedTuple
from ...wire import read_prefix
from ...wire.codegen import Arguments
from .older import OlderLayout, layout_of
from .program import split_modules
from .records import SubpassForm, VbcFile
from .resembling import refusal
from .spelling import NAMES

__all__ = ["Reading", "arguments_of", "read_file", "read_start"]

SIZES = {
    SubpassForm.DOCUMENTED: 4,
    SubpassForm.LIBSTDCXX: 48,
    SubpassForm.MSVC: 48,
    SubpassForm.LIBCXX: 40,
}
IN_PLACE = 15  # longest name that a string object of these libraries holds itself
CAPACITY = 24  # offset of a string's capacity in an object of MSVC
HEADER = 25  # bytes
SPIRV = b"\x03\x02\x23\x07", b"\x07\x23\x02\x03"  # either byte order


class Reading(NamedTuple):
    """A record, the form of its subpass inputs, the end of its modules, and any older layout."""

    record: VbcFile
    form: SubpassForm
    end: int
    older: OlderLayout | None = None


def arguments_of(form: SubpassForm) -> Arguments:
    """Return the arguments of the file's record."""
    return (("form", int(form)),)


def read_file(data: bytes, limits: Limits = DEFAULT) -> Reading:
    """Read a whole file.

    Raises:
        FormatError: The structure breaks, or the file does not end where it does, in today's layout
            and in every older one. If the file resembles an older layout, the error is where it
            violates that layout.
    """
    try:
        return _read_file(data, limits)
    except FormatError:
        found = layout_of(data, split_modules)
        if found is None:
            looks_older = refusal(data, limits)
            if looks_older is not None:
                raise looks_older from None
            raise
        older, converted = found
        return _read_file(converted.today, limits)._replace(older=older)


def _read_file(data: bytes, limits: Limits) -> Reading:
    found = _documented(data, limits)
    extra = len(data) - found.end
    if not extra:
        return found
    for form in _forms(data, found):
        if extra == (SIZES[form] - SIZES[SubpassForm.DOCUMENTED]) * len(found.record.subpasses):
            return _read(data, form, limits)
    problem = f"expected the end of the file, got {extra} more bytes"
    raise FormatError(problem, offset=found.end, path="trailing")


def read_start(data: bytes, limits: Limits = DEFAULT) -> Reading:
    """Read the file at the start of larger data.

    Raises:
        FormatError: The structure breaks, or a module does not begin as SPIR-V does.
    """
    found = _documented(data, limits)
    wrong = _first_wrong(found)
    if wrong is None:
        return found
    for form in _forms(data, found):
        try:
            other = _read(data, form, limits)
        except FormatError:
            continue
        if _first_wrong(other) is None:
            return other
    raise FormatError("expected the magic number of SPIR-V", offset=_code(found), path=wrong)


def _documented(data: bytes, limits: Limits) -> Reading:
    """Read the file in the documented form; other forms are longer."""
    try:
        found = _read(data, SubpassForm.DOCUMENTED, limits)
    except FormatError:
        if data[:3] == b"VBC" and _is_big_endian(data):
            problem = "expected little-endian numbers, got a big-endian file"
            raise FormatError(problem, offset=5, path="vert_words") from None
        raise
    record = found.record
    if record.version != 1:
        raise FormatError(f"expected version 1, got {record.version}", offset=3, path="version")
    if record.type != 1:
        problem = f"expected type 1 (graphics), got {record.type}"
        raise FormatError(problem, offset=4, path="type")
    return found


def _read(data: bytes, form: SubpassForm, limits: Limits) -> Reading:
    record, end = read_prefix(VbcFile, data, arguments_of(form), limits)
    return Reading(record, form, end)


def _forms(data: bytes, found: Reading) -> list[SubpassForm]:
    """Return the forms with objects; forms of equal size are in order of likelihood."""
    start = _code(found) - SIZES[SubpassForm.DOCUMENTED] * len(found.record.subpasses)
    size = SIZES[SubpassForm.MSVC]
    objects = [data[start + size * at :][:size] for at in range(len(found.record.subpasses))]
    capacities = [int.from_bytes(each[CAPACITY : CAPACITY + 8], "little") for each in objects]
    sizes = [int.from_bytes(each[CAPACITY - 8 : CAPACITY], "little") for each in objects]
    fits = all(
        size <= capacity and capacity >= IN_PLACE and capacity >> 16 == 0
        for size, capacity in zip(sizes, capacities, strict=True)
    )
    both = [SubpassForm.LIBSTDCXX, SubpassForm.MSVC]
    return [*(reversed(both) if fits else both), SubpassForm.LIBCXX]


def _code(found: Reading) -> int:
    """Return the offset of the first module."""
    return found.end - sum(len(getattr(found.record, name)) for name in NAMES)


def _first_wrong(found: Reading) -> str | None:
    """Return the name of the first module that does not begin as SPIR-V does; None if all do."""
    modules = ((name, getattr(found.record, name)) for name in NAMES)
    return next((name for name, code in modules if code and code[:4] not in SPIRV), None)


def _is_big_endian(data: bytes) -> bool:
    """Return True if the modules fit into the file only if their sizes are big-endian."""
    words = [data[at : at + 2] for at in range(5, 15, 2)]
    little, big = (
        4 * sum(int.from_bytes(each, order) for each in words) for order in ("little", "big")
    )
    return little > len(data) - HEADER >= big > 0
