"""Headers in Rust.

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct U {
    pub light: [[f32; 4]; 4],
    pub n: i32,
    pub pad_68: [u8; 12],
}
const _: () = assert!(core::mem::offset_of!(U, n) == 64);
"""

from collections.abc import Iterator, Sequence

from .layout import HostField, HostScalar, HostStructure
from .names import NameScope
from .tables import ResourceTable

__all__ = ["rust_header"]

KINDS = {"int": "i", "uint": "u", "float": "f", "byte": "u"}
ALLOWED = "#[allow(dead_code, non_camel_case_types, non_snake_case, non_upper_case_globals)]"


def rust_header(
    structures: Sequence[HostStructure], tables: Sequence[ResourceTable], about: str
) -> Iterator[str]:
    """Yield the lines of a module in Rust."""
    scope = NameScope("rust")
    named: dict[int, str] = {}
    yield f"// {_remark(about)}"
    for each in structures:
        yield ""
        name = named[id(each)] = scope.add(each.name, "Structure")
        yield from _structure(each, name, named)
    for table in tables:
        yield ""
        yield from _enumeration(table, scope)


def _structure(each: HostStructure, name: str, named: dict[int, str]) -> Iterator[str]:
    if each.origin:
        yield f"/// {_remark(each.origin)}, {each.size} bytes"
    yield from (f"// {_remark(note)}" for note in each.notes)
    if not each.fields:
        yield f"// {name} has no members"
        return
    yield ALLOWED
    yield "#[repr(C, packed)]" if each.packed else "#[repr(C)]"
    yield "#[derive(Clone, Copy, Debug)]"
    yield f"pub struct {name} {{"
    scope = NameScope("rust")
    checks = [f"const _: () = assert!(core::mem::size_of::<{name}>() == {each.size});"]
    for field in each.fields:
        member = scope.add(field.name or f"pad_{field.offset}", "member")
        words = ", ".join(filter(None, (field.declared, field.note)))
        comment = f" // {_remark(words)}" if words else ""
        yield f"    pub {member}: {_type(field, named)},{comment}"
        place = f"core::mem::offset_of!({name}, {member})"
        checks.append(f"const _: () = assert!({place} == {field.offset});")
    yield "}"
    yield from checks


def _type(field: HostField, named: dict[int, str]) -> str:
    if isinstance(field.type, HostScalar):
        half = field.type == ("float", 2)
        made = "u16" if half else f"{KINDS[field.type.kind]}{8 * field.type.size}"
    else:
        made = named[id(field.type)]
    for size in reversed(field.dims):
        made = f"[{made}; {size}]"
    return made


def _enumeration(table: ResourceTable, scope: NameScope) -> Iterator[str]:
    """Yield an enumeration; an enumerator with a repeated number becomes a constant of the type."""
    name = scope.add(table.name)
    yield ALLOWED
    yield "#[repr(u32)]"
    yield "#[derive(Clone, Copy, Debug, PartialEq, Eq)]"
    yield f"pub enum {name} {{"
    inner = NameScope("rust")
    first: dict[int, str] = {}
    again: list[tuple[str, str, str]] = []
    for row in table.rows:
        member = inner.add(row.name)
        if row.number in first:
            again.append((member, first[row.number], row.about))
            continue
        first[row.number] = member
        yield f"    {member} = {row.number}, // {_remark(row.about)}"
    yield "}"
    if again:
        yield ALLOWED
        yield f"impl {name} {{"
        for member, same, words in again:
            yield f"    pub const {member}: {name} = {name}::{same}; // {_remark(words)}"
        yield "}"


def _remark(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
