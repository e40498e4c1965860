"""Attributes, linkage, visibility and calling conventions in LLVM assembly."""

from ....isa.source import Source
from ....limits import DEFAULT, Limits
from ..model.values import AttributeGroup, AttributeList, FunctionAttribute, GlobalValue
from ..tables.operations import ATTRIBUTES, LINKAGES, VISIBILITIES
from ..text.conventions import CONVENTIONS, STORAGE_CLASSES
from .later import DROPPED, MEMORY, PREEMPTION, TYPED, memory_attributes
from .metadata import MetadataParser
from .tokens import AssemblyToken, unescaped

__all__ = ["AttributeParser"]

NUMBERS = {name: number for number, name in ATTRIBUTES.items()}
WORDS = frozenset((*NUMBERS, *DROPPED, MEMORY))
WITH_NUMBER = frozenset(("align", "alignstack", "dereferenceable", "dereferenceable_or_null"))
# The numbers that LLVM 3.7 writes; older ones read as the same words.
LINKAGE_NUMBERS = {name: number for number, name in LINKAGES.items() if name}
LINKAGE_NUMBERS["private"] = 9
VISIBILITY_NUMBERS = {name: number for number, name in VISIBILITIES.items() if name}
STORAGE_NUMBERS = {name: number for number, name in STORAGE_CLASSES.items() if name}
CONVENTION_NUMBERS = {name: number for number, name in CONVENTIONS.items() if name}


class AttributeParser(MetadataParser):
    """A reader of attributes; `groups` are those of lines `attributes #0 = { … }`."""

    def __init__(self, source: Source, limits: Limits = DEFAULT) -> None:
        super().__init__(source, limits)
        self.groups: dict[str, AttributeGroup] = {}

    def attribute_group(self, start: int) -> None:
        """Read `attributes #0 = { … }`."""
        self.at = start
        self.expect("attributes")
        token = self.take("group", "the number of a group")
        if token.text in self.groups:
            self.fail(f"expected one definition of {token.text}", token)
        self.expect("=")
        self.expect("{")
        found: list[FunctionAttribute] = []
        while not self.accept("}"):
            found += self._attribute()
        self.groups[token.text] = self.pool.group(AttributeGroup.FUNCTION, found)

    def _attribute(self) -> list[FunctionAttribute]:
        """Read an attribute; of later versions the attributes of LLVM 3.7 that it means."""
        token = self.next()
        if token.kind == "text" and token.text.startswith('"'):
            key = unescaped(token.text[1:-1])
            return [FunctionAttribute(key, self.take_text() if self.accept("=") else None)]
        if token.text == MEMORY:
            return [FunctionAttribute(NUMBERS[name]) for name in self._memory()]
        if token.text in DROPPED:
            if self.token.text == "(":
                self.skip_parentheses()
            return []
        number = NUMBERS.get(token.text) if token.kind == "word" else None
        if number is None:
            self.fail(f"unknown attribute {token.text!r:.40}", token)
        if token.text in TYPED and self.token.text == "(":
            self.skip_parentheses()
        if token.text not in WITH_NUMBER:
            return [FunctionAttribute(number)]
        if self.accept("("):
            value = self.take_number()
            self.expect(")")
        else:
            self.accept("=")
            value = self.take_number()
        return [FunctionAttribute(number, value)]

    def _memory(self) -> list[str]:
        """Read `(none)` or `(read, argmem: readwrite)`."""
        access: dict[str, str] = {}
        self.expect("(")
        while not self.accept(")"):
            if access:
                self.expect(",")
            kind = self.next().name if self.token.kind == "label" else ""
            word = self.take("word", "an access")
            if word.text not in ("none", "read", "write", "readwrite"):
                self.fail(f"unknown access {word.text!r:.40}", word)
            access[kind] = word.text
        return memory_attributes(access)

    def inline_attributes(self) -> list[FunctionAttribute]:
        """Read attributes of a parameter or result, if there are any."""
        found: list[FunctionAttribute] = []
        while (self.token.kind == "word" and self.token.text in WORDS) or (
            self.token.kind == "text" and self.token.text.startswith('"')
        ):
            found += self._attribute()
        return found

    def attribute_list(
        self, places: list[list[FunctionAttribute]], group: AssemblyToken | None
    ) -> AttributeList | None:
        """Return attributes of the result, of the parameters, and of the function."""
        found = [self.pool.group(index, each) for index, each in enumerate(places) if each]
        if group is not None:
            known = self.groups.get(group.text)
            if known is None:
                self.fail(f"unknown attributes {group.text:.60}", group)
            found.append(known)
        return self.pool.attributes(found)

    def linkage(self, value: GlobalValue) -> None:
        """Read linkage, visibility and storage class of a global."""
        for table, name in (
            (LINKAGE_NUMBERS, "linkage"),
            (VISIBILITY_NUMBERS, "visibility"),
            (STORAGE_NUMBERS, "dll_storage"),
        ):
            if self.token.kind == "word" and self.token.text in table:
                setattr(value, name, table[self.next().text])
            if self.token.text in PREEMPTION:
                self.next()

    def convention(self) -> int:
        """Read a calling convention; 0 if none is stated."""
        token = self.token
        if token.kind != "word":
            return 0
        if token.text in CONVENTION_NUMBERS:
            self.next()
            return CONVENTION_NUMBERS[token.text]
        if token.text.startswith("cc") and token.text[2:].isdigit():
            self.next()
            return int(token.text[2:8])
        return 0
