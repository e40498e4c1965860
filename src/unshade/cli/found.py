"""Lines, JSON and file names of shaders that were found, for the command line."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..archives import known
from ..errors import UsageError
from ..files import make_folder, read, stamp, write_atomically
from ..limits import Limits, check_file_size
from ..screens.text import visible
from ..search import Found
from . import templates
from .inputs import Input, plain, words
from .templates import safe

if TYPE_CHECKING:
    from mmap import mmap

HASH = 12  # digits of a hash in the list
UNKNOWN = "-"
UNPACKING = "unpacked", "entries", "layers", "file_size"  # fields of Limits
SCANNING = *UNPACKING, "scan_seconds", "scan_memory"
NUMBER = re.compile(r"(\d{1,15})([KMGkmg]?)", re.ASCII)
SHIFTS = {"": 0, "K": 10, "M": 20, "G": 30}
UNIQUE = "{hash}.{stage}.{format}"  # names of files, of shaders that are told apart by their bytes
LONGEST = 60  # characters of the name of an entry in that of a file


def limits_of(given: Sequence[str], known: Sequence[str] = UNPACKING) -> Limits:
    """Return the limits that arguments such as `unpacked=8G` set."""
    made: dict[str, int] = {}
    for each in given:
        name, _, value = each.partition("=")
        found = NUMBER.fullmatch(value)
        if name not in known or found is None:
            names = ", ".join(known)
            raise UsageError(f"--limit: expected NAME=NUMBER, NAME of {names}; got {each!r:.60}")
        made[name] = int(found[1]) << SHIFTS[found[2].upper()]
    return Limits(**made)


def continuation(path: str) -> str | None:
    """Return the file that continues a file, such as the `.ucas` of a `.utoc`; None without one."""
    for each in known():
        if each.continued is not None and path.endswith(each.continued[0]):
            other = path.removesuffix(each.continued[0]) + each.continued[1]
            if stamp(other) is not None:
                return other
    return None


def searched(item: Input, limits: Limits) -> "bytes | mmap":
    """Return the bytes of a file, with those of the file that continues it.

    Raises:
        LimitError: There are two files, which are too large.
    """
    other = continuation(item.path)
    if other is None:
        return item.view()
    views = item.view(), Input(other).view()
    check_file_size(sum(map(len, views)), limits)
    return b"".join(views)


def facts_of(found: Found) -> dict[str, Any]:
    """Return the facts about a shader for JSON output."""
    facts: dict[str, Any] = found._asdict()
    facts |= {
        "path": found.path,
        "steps": [each._asdict() for each in found.steps],
        "stage": found.stage,
        "profile": found.profile,
        "name": found.name,
        "hash": found.hash,
    }
    if found.damage is not None:
        facts["damage"] = plain(found.damage, words(found.damage))
    return facts


def line_of(found: Found | Mapping[str, Any]) -> str:
    """Return the line of the list for a shader, or for its facts in JSON, without its file."""
    if isinstance(found, Found):
        damage = None if found.damage is None else str(found.damage)
        given: Mapping[str, Any] = {**found._asdict(), "path": found.path, "hash": found.hash,
                                    "stage": found.stage, "profile": found.profile,
                                    "name": found.name}  # fmt: skip
    else:
        given = found
        damage = given["damage"]["message"] if "damage" in given else None
    fields = [visible(given["path"]), f"{given['size']:>9,}", given["format"]]
    known = given["stage"], given["profile"], given["name"], given["hash"][:HASH]
    fields += [visible(each) if each else UNKNOWN for each in known]
    if damage is not None:
        fields.append(f"damaged: {visible(damage)}")
    return "  ".join(fields)


def default_name(found: Found) -> str:
    """Return the end of the name of a shader's file: `@1f00.zstd@40.dxbc`."""
    outer = "".join(
        f"@{each.offset:x}.{each.name}" + (f".{_short(each.entry)}" if each.entry else "")
        for each in found.steps
    )
    mark = "" if found.damage is None else ".damaged"
    return f"{outer}@{found.offset:x}{mark}.{found.suffix}"


def _short(entry: str) -> str:
    """Return the name of an entry as part of a file name."""
    from zlib import crc32

    made = safe(entry)
    if len(made) <= LONGEST:
        return made
    return f"{made[:LONGEST]}~{crc32(entry.encode('utf-8', 'surrogatepass')):08x}"


def named_writer(folder: str, template: str) -> "Callable[[Input, Found], None]":
    """Return the function that writes a shader to the file that a template names."""
    made: dict[str, str] = {}  # names and the hashes of what was written

    def write(item: "Input", found: Found) -> None:
        name = templates.fill(template, fields_of(item, found).__getitem__)
        if made.setdefault(os.path.normcase(name), found.hash) != found.hash:
            problem = f"two shaders would be named {name}: add {{hash}} or {{path}} to the template"
            raise UsageError(problem)
        place = os.path.join(folder, *name.split("/"))
        if not os.path.exists(place) or read(place) != found.data:
            make_folder(os.path.dirname(place))
            write_atomically(place, found.data)

    return write


def fields_of(item: "Input | None", found: Found | None) -> dict[str, str]:
    """Return the fields of a template; if there is no shader, the names with empty values."""
    if item is None or found is None:
        names = "hash stage profile name format offset path file"
        return dict.fromkeys(names.split(), "")
    return {
        "hash": found.hash,
        "stage": found.stage or "",
        "profile": found.profile or "",
        "name": found.name or "",
        "format": found.suffix,
        "offset": f"{found.offset:x}",
        "path": found.path,
        "file": item.stem,
    }
