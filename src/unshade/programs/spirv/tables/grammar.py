"""The grammar of SPIR-V: instructions, operand kinds, enumerants, extended instruction sets.

    grammar.json   {"instructions": [[name, number, operands, class, needs], …],
                    "kinds":        {kind: [category, [[name, value, operands, needs], …]]},
                    "sets":         {name: {"kinds": …, "instructions": …}},
                    "generators":   {number: "vendor tool"}}

    operands       [["IdRef", "Base"], ["LiteralInteger*", "Indexes"], …]    ?: at most one
                                                                             *: any number
    needs          {"caps": [], "exts": [], "since": "1.3", "until": "1.5", "aliases": []}

A capability of `caps` is enough; so is an extension of `exts`, or the version `since` ("None": no
version has it). The file is made by tools/spirv_grammar.py and carries its notice.

Source: Khronos' SPIRV-Headers, at the revision that the file names.
"""

import json
from functools import cache
from pkgutil import get_data
from typing import Any

from ....tuples import NamedTuple

__all__ = [
    "Enumerant",
    "Grammar",
    "InstructionSet",
    "Needs",
    "Op",
    "OperandKind",
    "OperandRule",
    "grammar",
]


class OperandRule(NamedTuple):
    """An operand of an instruction or enumerant: `quantifier` is "", "?" or "*"."""

    kind: str
    quantifier: str = ""
    name: str = ""


class Needs(NamedTuple):
    """Declarations that an instruction or enumerant requires; empty if it needs none."""

    capabilities: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    since: str = "1.0"  # "None": no version of the core has it
    until: str = ""


class Op(NamedTuple):
    """An instruction: a row of the core table, or of the table of an extended set."""

    name: str
    code: int
    operands: tuple[OperandRule, ...]
    group: str  # the class of the grammar; empty in extended sets
    needs: Needs
    aliases: tuple[str, ...]


class Enumerant(NamedTuple):
    """A value of an enumeration, or a bit of a mask; `operands` follow it."""

    name: str
    value: int
    operands: tuple[OperandRule, ...]
    needs: Needs
    aliases: tuple[str, ...]


class OperandKind:
    """An operand kind. `category` is BitEnum, ValueEnum, Id, Literal or Composite.

    `by_value` contains the first enumerant listed for each value, `by_name` all names and aliases;
    `has_operands` is true if operands follow some of the enumerants.
    """

    __slots__ = ("bases", "by_name", "by_value", "category", "has_operands", "name")

    def __init__(self, name: str, category: str, rows: list[Any]) -> None:
        self.name = name
        self.category = category
        self.bases: tuple[str, ...] = tuple(rows) if category == "Composite" else ()
        self.by_value: dict[int, Enumerant] = {}
        self.by_name: dict[str, Enumerant] = {}
        for row in rows if not self.bases else ():
            each = Enumerant(row[0], row[1], _operands(row[2]), _needs(row[3]), _aliases(row[3]))
            self.by_value.setdefault(each.value, each)
            for alias in (each.name, *each.aliases):
                self.by_name.setdefault(alias, each)
        self.has_operands = any(each.operands for each in self.by_value.values())

    @property
    def is_mask(self) -> bool:
        """True if values are combinations of bits."""
        return self.category == "BitEnum"

    @property
    def is_enum(self) -> bool:
        """True if values have names."""
        return self.category in ("BitEnum", "ValueEnum")


class InstructionSet:
    """Instructions by number and by name, and the operand kinds that only they use."""

    __slots__ = ("by_code", "by_name", "kinds", "name")

    def __init__(self, name: str, rows: list[Any], kinds: dict[str, OperandKind]) -> None:
        self.name = name
        self.kinds = kinds
        self.by_code: dict[int, Op] = {}
        self.by_name: dict[str, Op] = {}
        for row in rows:
            op = Op(row[0], row[1], _operands(row[2]), row[3], _needs(row[4]), _aliases(row[4]))
            self.by_code.setdefault(op.code, op)
            for alias in (op.name, *op.aliases):
                self.by_name.setdefault(alias, op)


class Grammar:
    """The whole table.

    Attributes:
        revision, version: Of the grammar.
        generators: Names of tools by their numbers.
        kinds: Operand kinds by name.
        core: The instructions.
        float_encodings: Names of the encodings of floats by number.
        result_places: Which word is the result of an instruction, 1, or 2 after its type, by
            opcode.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.revision: str = data["revision"]
        self.version: str = data["version"]
        self.generators = {int(key): name for key, name in data["generators"].items()}
        self.kinds = _kinds(data["kinds"])
        self.core = InstructionSet("", data["instructions"], self.kinds)
        self.result_places = {
            each.code: place
            for each in self.core.by_code.values()
            for place, rule in enumerate(each.operands[:2], 1)
            if rule.kind == "IdResult"
        }
        self._sets: dict[str, Any] = data["sets"]
        encodings = self.kinds["FPEncoding"].by_value
        self.float_encodings = {value: each.name for value, each in encodings.items()}

    @property
    def set_names(self) -> tuple[str, ...]:
        """Names of the extended instruction sets, as in OpExtInstImport."""
        return tuple(self._sets)

    def extended(self, name: str) -> InstructionSet | None:
        """Return the extended instruction set of a name; None if the table does not have it."""
        found = self._sets.get(name)
        if isinstance(found, dict):
            kinds = {**self.kinds, **_kinds(found["kinds"])}
            found = self._sets[name] = InstructionSet(name, found["instructions"], kinds)
        return found


def _operands(rows: list[list[str]]) -> tuple[OperandRule, ...]:
    made = []
    for kind, *name in rows:
        quantifier = kind[-1] if kind[-1] in "?*" else ""
        made.append(OperandRule(kind.rstrip("?*"), quantifier, name[0] if name else ""))
    return tuple(made)


def _needs(row: dict[str, Any]) -> Needs:
    return (
        Needs(
            tuple(row.get("caps", ())),
            tuple(row.get("exts", ())),
            row.get("since", "1.0"),
            row.get("until", ""),
        )
        if row
        else _NOTHING
    )


def _aliases(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(row.get("aliases", ()))


def _kinds(rows: dict[str, Any]) -> dict[str, OperandKind]:
    return {name: OperandKind(name, category, inner) for name, (category, inner) in rows.items()}


_NOTHING = Needs()


@cache
def grammar() -> Grammar:
    """Return the grammar; it is read once."""
    data = get_data(__package__, "grammar.json")  # from an archive, too
    assert data is not None
    return Grammar(json.loads(data))
