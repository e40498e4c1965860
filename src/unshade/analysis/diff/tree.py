"""Comparison of two reflections, field by field.

    inputs[TEXCOORD1].used                          "xyzw"   "xy"
    resources[albedo].register                      3        4
    constant_buffers[Lights].variables[color].type  float3   float4

Elements are paired by the key that users know: signature rows by semantic, resources
by name or else by slot, variables by name. A different index of an element alone is not a
difference. If one of the two files has no names (it lost its RDEF), elements are paired by slot,
and the missing names are reported once.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from ...model import (
    ConstantBuffer,
    InterfaceClass,
    InterfaceInstance,
    InterfaceSlot,
    Member,
    Reflection,
    Resource,
    RootParameter,
    RootRange,
    SharedMemory,
    SignatureParameter,
    SpecialisationConstant,
    StaticSampler,
    TempArray,
    TypeDescription,
    Variable,
)
from ...model.plain import Facts
from ...parts import Category
from .describe import described
from .result import Change, ChangeKind

MOST = 10_000  # changes that are listed

# Categories of the fields of a reflection; the others belong to its interface.
CATEGORIES = {
    "code": Category.CODE,
    "global_flags": Category.CODE,
    "creator": Category.COMPILER,
    "compile_flags": Category.COMPILER,
    "constant_buffers": Category.REFLECTION,
    "temp_arrays": Category.STATISTICS,
    "shared_memory": Category.STATISTICS,
    "hash": Category.DIGEST,
}
# Facts of a constant buffer that the program declares.
OF_CODE = frozenset({"declared_size"})
# Facts that only name a resource, or a signature row that is linked by its register.
NAMING = frozenset({"name", "placed", "declared", "id", "components"})
ROW_NAMING = frozenset({"semantic", "index"})
# Fields reported elsewhere (format, notes, counts), and positions.
SKIPPED = frozenset({"format", "complete", "notes", "statistics", "temp_registers", "resource"})
# Of a buffer that no table describes: the same as its declared size.
FROM_CODE = frozenset({"size"})
# Fields that a file without names lacks, or has from the program alone.
UNNAMED = NAMING | {"size", "variables", "dynamically_indexed"}
# Lists in which the order means nothing.
SETS = frozenset({"builtins", "features", "global_flags", "compile_flags", "flags"})

Key = Callable[[Any], Hashable]


def _signature(row: SignatureParameter) -> Hashable:
    return row.semantic.upper(), row.index, row.stream


def _name(element: Any) -> Hashable:
    return None if getattr(element, "declared", False) else element.name


def _slot(resource: Resource) -> Hashable:
    return resource.register_class, resource.space, resource.register


# Keys that pair elements: first by the first key, the remaining ones by the next.
KEYS: dict[type, tuple[Key, ...]] = {
    SignatureParameter: (_signature, lambda row: row.register if row.by_register else None),
    Resource: (lambda r: None if r.declared else (r.register_class, r.name), _slot),
    ConstantBuffer: (_name,),
    Variable: (_name,),
    Member: (_name,),
    TempArray: (lambda array: array.register,),
    SpecialisationConstant: (lambda constant: constant.id,),
    SharedMemory: (lambda memory: memory.register,),
    InterfaceClass: (_name,),
    InterfaceInstance: (_name,),
    InterfaceSlot: (lambda slot: slot.start,),
    RootParameter: (lambda p: (p.kind, p.register, p.space, p.visibility), lambda p: p.kind),
    RootRange: (lambda r: (r.kind, r.register, r.space),),
    StaticSampler: (lambda s: (s.register, s.space, s.visibility),),
    Reflection: (lambda r: r.entry_point, lambda r: r.stage if r.by_number else None),
}


def compare(before: Reflection, after: Reflection) -> tuple[list[Change], list[str]]:
    """Return the differences of two reflections without counts, and notes about them."""
    walk = _Walk()
    found: list[Change] = []
    for change in walk.reflections("", before, after):
        if len(found) >= MOST:
            walk.notes.append(f"more than {MOST:,} facts differ; the others are not listed")
            break
        found.append(change)
    return found, walk.notes


class _Walk:
    def __init__(self) -> None:
        self.notes: list[str] = []
        self.known: dict[tuple[int, int], bool] = {}  # whether two shared types are the same
        self.slots: dict[int, Hashable] = {}  # of constant buffers
        self.unnamed = False

    def reflections(self, path: str, before: Reflection, after: Reflection) -> Iterator[Change]:
        for each in (before, after):
            for buffer in each.constant_buffers:
                if buffer.resource is not None:
                    self.slots[id(buffer)] = _slot(each.resources[buffer.resource])
        for name in Reflection.FIELDS:
            if name in SKIPPED:
                continue
            category = CATEGORIES.get(name, Category.INTERFACE)
            if name == "entry_point" and before.by_number and after.by_number:
                category = Category.DEBUG
            x, y = getattr(before, name), getattr(after, name)
            if (x or before.complete) and (y or after.complete):  # else it may not be known
                yield from self.values(f"{path}{name}", name, category, x, y)

    def values(
        self, path: str, name: str, category: Category, before: Any, after: Any
    ) -> Iterator[Change]:
        """Yield the differences of two values of a field."""
        if self.same(before, after):
            return
        both = before or after
        elements = isinstance(both, list) and bool(both) and isinstance(both[0], Facts)
        if elements:
            yield from self.elements(path, category, before or [], after or [])
        elif isinstance(before, list) and isinstance(after, list) and name in SETS:
            yield from self.sets(path, category, before, after)
        elif isinstance(before, TypeDescription) and isinstance(after, TypeDescription):
            yield from self.types(path, category, before, after)
        elif isinstance(before, Facts) and isinstance(after, Facts):
            yield from self.facts(path, category, before, after)
        else:
            yield _change(path, category, before, after)

    def facts(
        self,
        path: str,
        category: Category,
        before: Facts,
        after: Facts,
        leave_out: frozenset[str] = frozenset(),
    ) -> Iterator[Change]:
        if isinstance(before, Reflection) and isinstance(after, Reflection):
            yield from self.reflections(f"{path}.", before, after)
            return
        if isinstance(before, Variable) and not self.same(before.value, after.value):  # type: ignore[attr-defined]
            leave_out |= {"default"}  # the same in bytes
        for name in before.FIELDS:
            if name in SKIPPED or name in leave_out:
                continue
            about = category
            if isinstance(before, Resource) and name in NAMING:
                about = Category.REFLECTION
            elif isinstance(before, SpecialisationConstant) and name == "name":
                about = Category.REFLECTION  # it is set by its id
            elif isinstance(before, SignatureParameter) and name in ROW_NAMING:
                about = Category.REFLECTION if before.by_register else category
            elif isinstance(before, ConstantBuffer) and name in OF_CODE:
                about = Category.INTERFACE
            x, y = getattr(before, name), getattr(after, name)
            yield from self.values(f"{path}.{name}", name, about, x, y)

    def types(
        self, path: str, category: Category, before: TypeDescription, after: TypeDescription
    ) -> Iterator[Change]:
        """Yield the difference of two types; for structures, of their members."""
        yielded = False
        if before.members and after.members and before.elements == after.elements:
            for change in self.elements(f"{path}.members", category, before.members, after.members):
                yielded = True
                yield change
        old, new = described(before), described(after)
        if not yielded and old == new:  # a difference that declarations do not show, as the name
            yield from self.facts(path, category, before, after)
        elif not yielded or old != new:
            yield Change(
                path=path, change=ChangeKind.CHANGED, category=category, before=old,
                after=new, before_text=old, after_text=new,
            )  # fmt: skip

    def sets(
        self, path: str, category: Category, before: Sequence[Any], after: Sequence[Any]
    ) -> Iterator[Change]:
        ours, theirs = map(str, before), map(str, after)
        was, now = list(ours), list(theirs)
        for each in was:
            if each not in now:
                yield _change(path, category, each, None, ChangeKind.REMOVED)
        for each in now:
            if each not in was:
                yield _change(path, category, None, each, ChangeKind.ADDED)

    def elements(
        self, path: str, category: Category, before: Sequence[Facts], after: Sequence[Facts]
    ) -> Iterator[Change]:
        pairs, removed, added = matched(before, after, lambda buffer: self.slots.get(id(buffer)))
        for x, y in pairs:
            declared = getattr(x, "declared", False), getattr(y, "declared", False)
            leave_out: frozenset[str] = frozenset()
            if all(declared):
                leave_out = FROM_CODE
            elif any(declared):
                leave_out = UNNAMED
                if not self.unnamed:
                    self.unnamed = True
                    kind = ChangeKind.ADDED if declared[0] else ChangeKind.REMOVED
                    was, now = map(_names, declared)
                    yield _change("names", Category.REFLECTION, was, now, kind)
            yield from self.facts(
                f"{path}[{_label(y if declared[0] else x)}]", category, x, y, leave_out
            )
        for x in removed:
            about = Category.REFLECTION if _only_a_name(x, after) else category
            yield _change(f"{path}[{_label(x)}]", about, x, None, ChangeKind.REMOVED)
        for y in added:
            about = Category.REFLECTION if _only_a_name(y, before) else category
            yield _change(f"{path}[{_label(y)}]", about, None, y, ChangeKind.ADDED)

    def same(self, before: Any, after: Any) -> bool:
        """Return True if two values are equal, as NaN is to NaN; compare shared types once."""
        if before is after:
            return True
        if type(before) is not type(after):
            return bool(before == after)
        if isinstance(before, Facts):
            key = id(before), id(after)
            found = self.known.get(key)
            if found is None:
                self.known[key] = True  # a type inside itself
                found = self.known[key] = all(
                    self.same(getattr(before, name), getattr(after, name)) for name in before.FIELDS
                )
            return found
        if isinstance(before, list | tuple):
            return len(before) == len(after) and all(map(self.same, before, after))
        if isinstance(before, dict):
            return before.keys() == after.keys() and all(
                self.same(value, after[key]) for key, value in before.items()
            )
        return bool(before == after or (before != before and after != after))  # noqa: PLR0124


def _names(declared: bool) -> str | None:
    return None if declared else "names and types of resources and constants"


def matched(
    before: Sequence[Facts], after: Sequence[Facts], slot: Key
) -> tuple[list[tuple[Facts, Facts]], list[Facts], list[Facts]]:
    """Return pairs of corresponding elements, removed elements and added elements.

    `slot` returns the slot that a constant buffer is bound to.
    """
    removed, added = list(before), list(after)
    pairs: list[tuple[int, Facts, Facts]] = []
    order = {id(each): at for at, each in enumerate(before)}
    kind = type((*before, *after)[0])
    keys = KEYS.get(kind, (lambda element: 0,))
    if kind is ConstantBuffer:
        keys = (*keys, slot, lambda buffer: buffer.kind)
    for key in keys:
        waiting: dict[Hashable, list[Facts]] = {}
        for each in added:
            if (value := key(each)) is not None:
                waiting.setdefault(value, []).append(each)
        left = []
        for each in removed:
            value = key(each)
            if value is not None and waiting.get(value):
                pairs.append((order[id(each)], each, waiting[value].pop(0)))
            else:
                left.append(each)
        taken = {id(other) for _, _, other in pairs}
        removed, added = left, [each for each in added if id(each) not in taken]
    pairs.sort(key=lambda pair: pair[0])
    return [(x, y) for _, x, y in pairs], removed, added


def _only_a_name(row: Facts, others: Sequence[Facts]) -> bool:
    """Return True if a row only names a register that is unused, or described by another row."""
    return (
        isinstance(row, SignatureParameter)
        and row.by_register
        and (
            not row.used or any(getattr(each, "register", None) == row.register for each in others)
        )
    )


def _label(element: Any) -> str:
    match element:
        case SignatureParameter():
            return f"{element.semantic}{element.index or ''}"
        case TempArray():
            return f"x{element.register}"
        case SharedMemory():
            return f"g{element.register}"
        case InterfaceSlot():
            return str(element.start)
        case RootParameter():
            where = "" if element.register is None else f" {element.register}"
            return f"{element.kind}{where}"
        case RootRange():
            return f"{element.kind} {element.register}"
        case StaticSampler():
            return f"s{element.register}"
        case Reflection():
            return element.entry_point or ""
    return str(element.name)


def _change(
    path: str, category: Category, before: Any, after: Any, kind: ChangeKind = ChangeKind.CHANGED
) -> Change:
    return Change(
        path=path,
        change=kind,
        category=category,
        before=_plain(before),
        after=_plain(after),
        before_text="" if kind is ChangeKind.ADDED else described(before),
        after_text="" if kind is ChangeKind.REMOVED else described(after),
    )


def _plain(value: Any) -> Any:
    return value.to_dict() if isinstance(value, Facts) else value
