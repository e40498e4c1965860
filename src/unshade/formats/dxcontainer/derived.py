"""Fields of parts that follow from a program.

    HASH.digest     MD5 of the bitcode of DXIL, or of ILDB if the flags specify a hash of the source
    PSV0            derived from metadata and code of DXIL; of ILDB if there is no DXIL

After an edit of the program, both are computed again, but only if they had the derived value before
the edit and were not set since. Plain data contains no hash that has the derived value, and may
contain the size of PSV0 alone.

Source: files of dxc; files with the hash of a source text are flagged.
"""

from collections.abc import Container, Iterable
from typing import Any

from ...errors import EncodeError, FormatError, LimitError
from ...limits import Limits
from ...wire.data import to_data
from .container import structure
from .digest import md5
from .part import PART_HEADER, DxPart, PartList
from .parts.dxil import is_dxil
from .parts.hash import SIZE, DxilShaderHash
from .parts.psv0 import PipelineStateValidation

__all__ = [
    "Followed", "as_read", "complete", "derived_fields", "fill_derived", "follow", "omit_derived",
]  # fmt: skip

INCLUDES_SOURCE = 1
FLAGS_SIZE = 4
HASH_SIZE = FLAGS_SIZE + SIZE
NAME, FIELD = "HASH", "digest"
STATE, REQUIRED = "PSV0", "min_wave_lanes"

# By name of a part that follows a program: its bytes, and the bytes of the program.
Followed = dict[str, tuple[bytes, bytes]]


def omit_derived(data: dict[str, Any], parts: Iterable[DxPart]) -> None:
    """Remove the fields of plain data that have the derived value."""
    listed = list(parts)
    for part, plain in zip(listed, data["parts"], strict=True):
        if "fields" in plain and _is_derived(part, listed):
            del plain["fields"][FIELD]


def derived_fields(parts: Iterable[DxPart]) -> list[str]:
    """Return the paths of the fields of HASH and the reflection that have their derived value."""
    listed = list(parts)
    derived = any(_is_derived(part, listed) for part in listed)
    return [f"{NAME}.{FIELD}", f"hash.{FIELD}"] if derived else []


def _is_derived(part: DxPart, parts: Iterable[DxPart]) -> bool:
    """Return whether a part is HASH, with the digest of its program."""
    if part.name != NAME or not isinstance(part.value, DxilShaderHash):
        return False
    return part.value.digest == hash_of(parts, part.value.flags)


def fill_derived(data: dict[str, Any], parts: Iterable[DxPart]) -> None:
    """Set the fields that plain data leaves out."""
    listed = list(parts)
    for part, plain in zip(listed, data["parts"], strict=True):
        fields = plain.get("fields")
        if part.name == NAME and isinstance(fields, dict) and FIELD not in fields:
            found = hash_of(listed, part.value.flags)
            if found is not None:
                part.value.digest = found


def complete(data: dict[str, Any]) -> dict[str, Any]:
    """Return plain data with a complete PSV0, if it contains the size but no lanes of waves.

    Missing fields are derived from the program, if it can be read.
    """
    parts = data.get("parts")
    plain = [each for each in parts if isinstance(each, dict)] if isinstance(parts, list) else []
    named = {each["name"]: each for each in plain if isinstance(each.get("name"), str)}
    state, program = named.get(STATE, {}), named.get("DXIL") or named.get("ILDB")
    fields = state.get("fields")
    if not isinstance(fields, dict) or REQUIRED in fields or program is None:
        return data
    size = fields.get("info_size")
    value = DxPart.from_data(program, 0, program["name"]).value if isinstance(size, int) else None
    if not is_dxil(value):
        return data
    from .dxc.psv0 import psv0_of

    try:
        derived = psv0_of(value, size)
    except (FormatError, LimitError):
        return data
    if derived is None:
        return data
    whole = state | {"fields": to_data(derived) | fields}
    return data | {"parts": [whole if each is state else each for each in data["parts"]]}


def as_read(source: bytes, limits: Limits) -> Followed:
    """Return the parts that follow a program, and the programs, in the bytes of a container."""
    found: dict[str, bytes] = {}
    for place in structure(source, limits)[1]:
        name, start = source[place.offset : place.offset + 4], place.offset + PART_HEADER
        found.setdefault(name.decode("latin-1"), source[start : place.end])
    programs = {
        each: _program_of(each, found[each], found) for each in (NAME, STATE) if each in found
    }
    return {
        each: (found[each], found[program])
        for each, program in programs.items()
        if program in found
    }


def follow(parts: PartList, contents: list[bytes], before: Followed, limits: Limits) -> Followed:
    """Update the parts that follow a program which was edited.

    Args:
        parts: The parts.
        contents: Their current bytes, which are replaced for updated parts.
        before: The result of `as_read`, or of the last call of this function.
        limits: Limits for reading the programs and the parts as they were.

    Returns:
        The programs and parts in the current bytes, for the next call.
    """
    known = dict(before)
    names = [part.name for part in parts]
    for name, update in ((NAME, _follow_hash), (STATE, _follow_state)):
        if name not in names or name not in before:
            continue
        at = names.index(name)
        program = _program_of(name, contents[at], names)
        if program not in names:
            continue
        was, new = before[name][1], contents[names.index(program)]
        if new == was:
            continue
        earlier, later = (DxPart(program, each, limits=limits).value for each in (was, new))
        stated = DxPart(name, before[name][0], limits=limits)
        made = update(parts[at], contents[at], stated, earlier, later)
        if made is not None:
            contents[at] = made
            known[name] = made, new
    return known


def _follow_hash(
    part: DxPart, data: bytes, before: DxPart, earlier: object, later: object
) -> bytes | None:
    """Return the bytes of HASH for an edited program; None if it stays."""
    if data != before.data or len(data) != HASH_SIZE or data[FLAGS_SIZE:] != _hash(earlier):
        return None
    found = _hash(later)
    if found is None:
        return None
    part.value.digest = found
    return data[:FLAGS_SIZE] + found


def _follow_state(
    part: DxPart, data: bytes, before: DxPart, earlier: object, later: object
) -> bytes | None:
    """Return the bytes of PSV0 for an edited program; None if it stays."""
    old, new = before.value, part.value
    if not isinstance(old, PipelineStateValidation) or not isinstance(new, type(old)):
        return None
    if not is_dxil(earlier) or not is_dxil(later) or old.info_size != new.info_size:
        return None
    from .dxc.psv0 import changes

    try:
        changed = changes(old, new, earlier, later)
    except (FormatError, LimitError):
        return None
    kept = {name: getattr(new, name) for name in changed}
    for name, value in changed.items():
        setattr(new, name, value)
    try:
        return part.data
    except EncodeError:  # what was set by hand does not fit what follows
        for name, value in kept.items():
            setattr(new, name, value)
        return None


def _program_of(name: str, data: bytes, names: Container[str]) -> str:
    """Return the name of the program that a part with these bytes describes."""
    if name == NAME:
        return _hashed_program(int.from_bytes(data[:FLAGS_SIZE], "little"))
    return "DXIL" if "DXIL" in names else "ILDB"


def _hashed_program(flags: int) -> str:
    return "ILDB" if flags & INCLUDES_SOURCE else "DXIL"


def hash_of(parts: Iterable[DxPart], flags: int) -> bytes | None:
    """Return the hash of the program that HASH with these flags describes, or None."""
    name = _hashed_program(flags)
    values = (part.value for part in parts if part.name == name)
    return next((_hash(each) for each in values if is_dxil(each)), None)


def _hash(program: object) -> bytes | None:
    """Return the hash of a program; None if it is not a program or exceeds a limit."""
    if not is_dxil(program):
        return None
    try:
        return bytes(md5()(program.bitcode_bytes(), usedforsecurity=False).digest())
    except LimitError:
        return None
