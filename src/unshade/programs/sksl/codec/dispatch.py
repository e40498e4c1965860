"""The method that reads or writes each kind of field; reader and writer define all of them."""

from collections.abc import Callable
from typing import Any

from ..tree import node as kinds

__all__ = ["handlers"]

METHODS: dict[type[kinds.FieldKind], str] = {
    kinds.NumberField: "_number",
    kinds.NumbersField: "_numbers",
    kinds.FlagField: "_flag",
    kinds.TextField: "_text",
    kinds.LiteralField: "_literal",
    kinds.CaseField: "_case",
    kinds.ChildField: "_child",
    kinds.ChildrenField: "_children",
    kinds.ElementsField: "_elements",
    kinds.ReferenceField: "_reference",
    kinds.ReferencesField: "_references",
    kinds.NamedField: "_named",
    kinds.NamesField: "_names",
}


def handlers(owner: object) -> dict[type[kinds.FieldKind], Callable[..., Any]]:
    """Return the methods of a reader or writer by kind of field."""
    return {kind: getattr(owner, name) for kind, name in METHODS.items()}
