"""Documentation page about SkSL binary files."""

from collections.abc import Iterator
from enum import IntEnum

from tools.pages.markdown import filled, indented
from unshade.limits import DEFAULT
from unshade.programs.sksl import code, facts
from unshade.programs.sksl.builtins import modules, signatures
from unshade.programs.sksl.codec import commands, numbering, pool
from unshade.programs.sksl.codec.commands import CURRENT, VERSIONS, name_of_class
from unshade.programs.sksl.tables import enumerations
from unshade.programs.sksl.tables.operators import Operator
from unshade.programs.sksl.text import grouping, native, upstream
from unshade.programs.sksl.tree import NODES, TreeNode, modifiers
from unshade.programs.sksl.tree import node as kinds

__all__ = ["page"]

GROUPS = (
    ("Symbols", "Symbol"),
    ("Scopes and programs", "TranslationUnit"),
    ("Elements", "ProgramElement"),
    ("Statements", "Statement"),
    ("Expressions", "Expression"),
    ("Parts of commands", ""),
)


def page() -> str:
    """Return the page with its tables filled in."""
    numbers = VERSIONS[CURRENT].numbers
    return filled(
        __file__,
        {
            "file": indented(code),
            "pool": indented(pool),
            "numbers": indented(numbering),
            "modifiers": indented(modifiers),
            "void": str(numbers["Void"]),
            "ref": str(numbers["SymbolRef"]),
            "all": ", ".join(f"{number} {name}" for name, number in numbers.items()),
            "commands": "\n".join(_commands()).rstrip(),
            "versions": indented(commands),
            "operators": ", ".join(f"{each.value} `{each.spelling}`" for each in Operator),
            "enumerations": "\n".join(_enumerations()),
            "native": indented(native),
            "grouping": indented(grouping),
            "upstream": indented(upstream),
            "facts": indented(facts),
            "modules": indented(modules),
            "signatures": indented(signatures),
            "nesting": str(DEFAULT.nesting),
        },
    )


def _commands() -> Iterator[str]:
    """Iterate over the sections of the groups, each with its classes."""
    listed: set[type[TreeNode]] = set()
    for title, group in GROUPS:
        found = [
            each
            for each in NODES.values()
            if each not in listed and each.fields and (not group or issubclass(each, NODES[group]))
        ]
        found = [each for each in found if each.command is not None or not group]
        if group == "TranslationUnit":
            found.append(NODES["SymbolTable"])
        listed.update(found)
        if found:
            yield f"### {title}\n"
            for each in found:
                if each.command is not None or each.__name__ in ("StructField", "SwitchCase"):
                    yield from _command(each)


def _command(cls: type[TreeNode]) -> Iterator[str]:
    number = "" if cls.command is None else f" {cls.command}"
    doc = " ".join((cls.__doc__ or "").split("\n\n")[0].split())
    yield f"**{name_of_class(cls)}**{number} (`{cls.__name__}`): {doc}\n"
    yield "| type | field | meaning |"
    yield "|---|---|---|"
    if cls.numbered:
        yield "| u16 | | number of the symbol |"
    for each in cls.fields:
        since = f"; from version {each.since} on" if each.since else ""
        yield f"| {_kind(each.kind)} | `{each.name}` | {each.doc}{since} |"
    yield ""


def _kind(kind: kinds.FieldKind) -> str:
    """Return a short description of the kind of a field."""
    match kind:
        case kinds.NumberField():
            return kind.scalar.name
        case kinds.NumbersField():
            return "u8 count, u8 each"
        case kinds.FlagField():
            return "u8, 0 or 1"
        case kinds.TextField():
            return "u16 offset of a string"
        case kinds.LiteralField():
            return "f32" if kind.is_float else "i32 or u32"
        case kinds.CaseField():
            return "u8 default; if 0, i32"
        case kinds.ChildField():
            return f"{_group(kind.cls)}{' or Void' * kind.optional}"
        case kinds.ChildrenField():
            return f"{kind.counter.name} count, {_group(kind.cls)} each"
        case kinds.ElementsField():
            return "Elements … ElementsComplete"
        case kinds.ReferenceField():
            return f"reference to {_group(kind.cls)}"
        case kinds.ReferencesField():
            return f"u8 count, reference to {_group(kind.cls)} each"
        case kinds.NamedField():
            return f"named reference to {_group(kind.cls)}"
    return "u16 count, u16 index or 65535 and a string each"


def _group(cls: type[TreeNode]) -> str:
    return {"DataType": "type", "Symbol": "symbol", "ProgramElement": "element"}.get(
        cls.__name__, name_of_class(cls).lower() if cls.__subclasses__() else name_of_class(cls)
    )


def _enumerations() -> Iterator[str]:
    yield "| | values |"
    yield "|---|---|"
    for name in sorted(enumerations.__all__):
        kind = getattr(enumerations, name)
        members: list[IntEnum] = list(kind)
        values = ", ".join(f"{each.value} {each.name}" for each in members)
        yield f"| {name}: {(kind.__doc__ or '').split('.')[0]} | {values} |"
