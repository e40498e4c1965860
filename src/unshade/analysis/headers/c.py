"""Headers in C and C++.

typedef struct U {
    float light[4][4];    /* float4 light[4] */
    int32_t n;
    uint8_t pad_68[12];
} U;
static_assert(offsetof(U, n) == 64, "offset of U.n");
"""

from collections.abc import Iterator, Sequence

from .layout import HostField, HostScalar, HostStructure
from .names import NameScope
from .tables import ResourceTable

__all__ = ["c_header"]

TYPES = {
    **{("int", size): f"int{8 * size}_t" for size in (1, 2, 4, 8)},
    **{("uint", size): f"uint{8 * size}_t" for size in (1, 2, 4, 8)},
    ("float", 2): "uint16_t", ("float", 4): "float", ("float", 8): "double",
    ("byte", 1): "uint8_t",
}  # fmt: skip


def c_header(
    structures: Sequence[HostStructure], tables: Sequence[ResourceTable], about: str, language: str
) -> Iterator[str]:
    """Yield the lines of a header in `c` or `cpp`."""
    cpp = language == "cpp"
    scope = NameScope(language)
    named: dict[int, str] = {}
    yield f"/* {about.replace('*/', '* /')} */"
    yield "#pragma once"
    yield from ("#include <cstddef>", "#include <cstdint>") if cpp else (
        "#include <assert.h>", "#include <stddef.h>", "#include <stdint.h>",
    )  # fmt: skip
    for each in structures:
        yield ""
        name = named[id(each)] = scope.add(each.name, "Structure")
        yield from _structure(each, name, named, cpp)
    for table in tables:
        yield ""
        name = scope.add(table.name)
        yield f"enum class {name} : std::uint32_t {{" if cpp else f"enum {name} {{"
        inner = NameScope(language) if cpp else scope
        for row in table.rows:
            wanted = row.name if cpp else f"{name}_{row.name}"
            yield f"    {inner.add(wanted)} = {row.number}, /* {_remark(row.about)} */"
        yield "};"


def _structure(each: HostStructure, name: str, named: dict[int, str], cpp: bool) -> Iterator[str]:
    if each.origin:
        yield f"/* {_remark(each.origin)}, {each.size} bytes */"
    yield from (f"/* {_remark(note)} */" for note in each.notes)
    if not each.fields:
        yield f"/* {name} has no members */"
        return
    if each.packed:
        yield "#pragma pack(push, 1)"
    yield f"struct {name} {{" if cpp else f"typedef struct {name} {{"
    scope = NameScope("cpp" if cpp else "c", () if not cpp else (name,))
    checks = [f'static_assert(sizeof({name}) == {each.size}, "size of {name}");']
    for field in each.fields:
        member = scope.add(field.name or f"pad_{field.offset}", "member")
        dims = "".join(f"[{size}]" for size in field.dims)
        yield f"    {_type(field, named)} {member}{dims};{_comment(field)}"
        place = f"offsetof({name}, {member})"
        checks.append(f'static_assert({place} == {field.offset}, "offset of {name}.{member}");')
    yield "};" if cpp else f"}} {name};"
    if each.packed:
        yield "#pragma pack(pop)"
    yield from checks


def _type(field: HostField, named: dict[int, str]) -> str:
    if isinstance(field.type, HostScalar):
        return TYPES[field.type]
    return named[id(field.type)]


def _comment(field: HostField) -> str:
    half = "half" if field.type == ("float", 2) else ""
    words = ", ".join(filter(None, (field.declared, half, field.note)))
    return f" /* {_remark(words)} */" if words else ""


def _remark(text: str) -> str:
    """Return a text without line ends and ends of comments."""
    return "".join(c if c.isprintable() else " " for c in text).replace("*/", "* /")
