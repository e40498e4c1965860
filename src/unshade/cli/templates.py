"""Names of files made from a template: `{stage}/{hash:16}.{format}`.

The values come from a file and are made safe: a value is never a path. The folders of the
template itself stay below the folder that is written to.
"""

import re
from collections.abc import Callable, Mapping

from .. import windows
from ..errors import UsageError, did_you_mean

SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
FIELD = re.compile(r"\{(\w*)(?::(\d+))?\}")
LONGEST = 200  # characters of a part, which are bytes
NONE = "none"  # in place of a value that is not known


def check(template: str, fields: Mapping[str, str]) -> None:
    """Raise UsageError if a template has an unknown field, or leads out of the folder."""
    for name, _ in FIELD.findall(template):
        if name not in fields:
            names = ", ".join(f"{{{each}}}" for each in fields)
            raise UsageError(
                f"unknown field {{{name}}}: expected one of {names}{did_you_mean(name, fields)}"
            )
    rest = FIELD.sub("x", template)
    parts = rest.split("/")
    if "{" in rest or "}" in rest or "\\" in rest or "\0" in rest:
        raise UsageError(f"expected a template such as {{hash}}.{{format}}, got {template!r:.60}")
    if not template or any(part in ("", ".", "..") for part in parts):
        raise UsageError(f"expected a name below the folder, got {template!r:.60}")


def fill(template: str, value: Callable[[str], str | None]) -> str:
    """Return the name that a template makes; its parts are names that every system accepts."""

    def filled(found: re.Match[str]) -> str:
        text = value(found[1])
        made = safe(text if text else NONE)
        return made[: int(found[2])] if found[2] else made

    parts = FIELD.sub(filled, template).split("/")
    return "/".join(windows.portable(part)[:LONGEST] for part in parts)


def safe(name: str) -> str:
    """Return a name from a file as a safe file name: other characters become `%xx`."""
    made = "".join(c if c in SAFE or c == "." else f"%{ord(c):02x}" for c in name)
    return f"{made[:-1]}%2e" if made.endswith(".") else made  # Windows drops a trailing dot
