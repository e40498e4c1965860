"""`unshade put-back`: put edited shaders into a copy of the file that they were found in."""

import os
import re
from collections.abc import Sequence

from ... import archives
from ... import files as system
from ...errors import UsageError
from ...screens.text import visible
from ...search import Found
from .. import exits
from ..commands import PutBackOptions
from ..found import continuation, default_name, limits_of, searched
from ..inputs import Input, single
from ..output import CommandOutput, note, tell

DIGITS = re.compile(r"[0-9a-f]{8,64}(?![0-9a-z])")  # a hash, or its start, at that of a name


def run(given: PutBackOptions) -> int:
    """Write a copy of the first file with the shaders of the others in their places."""
    original, *changed = given.files
    if not changed:
        raise UsageError("expected ORIGINAL and at least one changed shader")
    single(original)
    limits = limits_of(given.limits)
    item = Input(original)
    data = bytes(searched(item, limits))
    other = continuation(original)
    start = len(data) if other is None else len(item.view())  # of what goes to another file
    named = [_named(each) for each in changed]
    for _, file in named:
        system.protect(file)
    system.protect(original)
    if other is not None:
        system.protect(other)
    copies = [given.output]
    if other is not None:
        copies.append(_continued(given.output, original, other))
    for each in copies:
        if each != "-":
            system.check_output(each)
    found = list(archives.find(data, strict=False, limits=limits))
    changes: dict[str, bytes] = {}
    for path, file in named:
        new = Input(file).read()
        for place in [path] if path else _places(item, found, file):
            if place in changes and changes[place] != new:
                raise UsageError(f"{file}: another file is put back at {visible(place)}, too")
            changes[place] = new
    made = archives.put_back(data, changes, limits=limits)
    for each in copies[1:]:
        system.write_atomically(each, made[start:])
    with CommandOutput(given.output) as out:
        out.binary(made[:start])
    old = {each.path: each for each in found}
    same = [path for path, new in changes.items() if old[path].data == new]
    for path, new in changes.items():
        if path not in same:
            tell(f"{visible(item.name)}!{visible(path)}  {old[path].size:,} to {len(new):,} bytes")
    if same:
        note(f"{len(same):,} of {len(changes):,} shaders are unchanged")
    return exits.FINE


def _continued(output: str, original: str, other: str) -> str:
    """Return the name of the file that continues the copy."""
    first, second = (os.path.splitext(each)[1] for each in (original, other))
    if not output.endswith(first):
        raise UsageError(f"expected -o COPY{first}, since {other} is copied, too; got {output}")
    return output.removesuffix(first) + second


def _named(argument: str) -> tuple[str, str]:
    """Return the path in the original, which may be empty, and the name of the file."""
    path, equals, file = argument.rpartition("=")
    if equals and "@0x" in path and not os.path.exists(argument):
        return path, file
    return "", argument


def _places(item: Input, found: Sequence[Found], file: str) -> list[str]:
    """Return the paths of the shaders that a file is named after: by `find --extract`, or a hash.

    A hash stands for all copies.
    """
    base = os.path.basename(file)
    exact = [each.path for each in found if base == item.stem + default_name(each)]
    digits = DIGITS.match(base)
    if exact or digits is None:
        if exact:
            return exact
        raise UsageError(
            f"{file}: named after no shader in {item.name}: expected a name that find --extract"
            " gives, or PATH=FILE with a path that find prints"
        )
    same = [each for each in found if each.hash.startswith(digits[0])]
    if not same:
        raise UsageError(f"{file}: no shader in {item.name} has a hash that starts {digits[0]}")
    if len({each.hash for each in same}) > 1:
        raise UsageError(f"{file}: several shaders in {item.name} have a hash like {digits[0]}")
    return [each.path for each in same]
