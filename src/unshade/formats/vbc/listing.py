"""The text of a VBC file: the reflection as comments, then the text of each module.

    ; unshade vbc exact 1                                   in the exact dialect
    ; VBC version=1 type=GRAPHICS
    ; tables samplers=8192 images=128 buffers=512 ro_texels=128 rw_texels=128
    ; inputs[0] location=0 base=FLOAT rows=3 columns=1 count=1
    ; bindings[0] slot=3 base=RW_BUFFER stages=vert|frag data.size=24
    ; uniform size=92 stages=vert|frag
    ; uniform.members[0] name=mvp offset=0 base=FLOAT rows=4 columns=4 count=1
    ; stage vert
    …                                                       SPIR-V assembly
    ; stage frag
    ; bytes 0001020304                                      a module that is not SPIR-V

A line is a record: its path, and its fields as in plain data. Values other than words and numbers
are JSON. Fields that plain data leaves out are left out here.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...dialect import Heading, no_dialect
from .data import reflection_fields
from .parts import HEAD
from .spelling import NAMES

if TYPE_CHECKING:
    from .shader import Vbc

__all__ = ["BYTES", "EXACT", "FORM", "PLAIN_WORD", "STAGE", "line_paths", "listing"]

EXACT = Heading("vbc", "exact", 1)
STAGE = "; stage "
BYTES = "; bytes "
FORM = "subpass_form"
LAYOUT = "layout"
PER_LINE = 32  # bytes
PLAIN_WORD = re.compile(r"(?!(?:true|false|null)$)[A-Za-z_][\w|]*", re.ASCII)
LISTS = ("inputs", "outputs", "bindings", "subpasses")


def listing(file: "Vbc", dialect: str | None, options: Mapping[str, Any] = {}) -> str:
    """Return the text of a file; `options` are the options of SPIR-V text."""
    if dialect not in (None, "native", "exact"):
        raise no_dialect("vbc", dialect, "native", "exact")
    exact = dialect == "exact"
    lines = [EXACT.line(";")] if exact else []
    modules = file.modules()
    data = reflection_fields(file.record, file.form, file.older)
    lines += [f"; {each}" for each in _reflection(data)]
    made = "".join(f"{line}\n" for line in lines)
    for name in NAMES:
        code = getattr(file.record, name)
        if not code:
            continue
        made += f"{STAGE}{name}\n"
        if name in modules:
            made += modules[name].disassemble(dialect, **options)
        else:
            rows = (code[at : at + PER_LINE] for at in range(0, len(code), PER_LINE))
            made += "".join(f"{BYTES}{row.hex()}\n" for row in rows)
    return made


def line_paths(file: "Vbc") -> list[tuple[str, ...]]:
    """Return the paths in the file's spans that each line of the native listing shows."""
    modules = file.modules()
    data = reflection_fields(file.record, file.form, file.older)
    rows = [line.split(" ", 1)[0] for line in _reflection(data)]
    found: list[tuple[str, ...]] = [(row if row == HEAD else f"{HEAD}.{row}",) for row in rows]
    for name in NAMES:
        code = getattr(file.record, name)
        if not code:
            continue
        found.append((name,))
        if name in modules:
            inner = modules[name].line_paths()
            found += [tuple(f"{name}.{path}" for path in paths) for paths in inner]
        else:
            found += [(name,)] * -(-len(code) // PER_LINE)
    return found


def _reflection(data: dict[str, Any]) -> Iterator[str]:
    """Return a line for each record of the reflection."""
    head = {key: data[key] for key in ("version", "type", LAYOUT, FORM) if key in data}
    yield _line(HEAD, head)
    yield _line("tables", data["tables"])
    uniform = dict(data["uniform"])
    members = uniform.pop("members", [])
    for name in LISTS[:3]:
        yield from _rows(name, data[name])
    yield _line("uniform", uniform)
    yield from _rows("uniform.members", members)
    yield from _rows(LISTS[3], data[LISTS[3]])


def _rows(path: str, rows: list[dict[str, Any]]) -> Iterator[str]:
    return (_line(f"{path}[{at}]", row) for at, row in enumerate(rows))


def _line(path: str, fields: dict[str, Any]) -> str:
    flat: dict[str, Any] = {}
    for key, value in fields.items():
        if isinstance(value, dict) and key == "data":
            flat |= {f"{key}.{inner}": each for inner, each in value.items()}
        else:
            flat[key] = value
    return " ".join([path, *(f"{key}={_value(value)}" for key, value in flat.items())])


def _value(value: Any) -> str:
    if isinstance(value, str) and PLAIN_WORD.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
