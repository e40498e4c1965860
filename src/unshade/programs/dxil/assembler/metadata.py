"""Metadata nodes in LLVM assembly: `!{…}`, and nodes with fields such as `!DILocation(line: 1)`."""

from ....isa.source import Source
from ....limits import DEFAULT, Limits
from ..model.metadata import DebugField, DebugNode, Metadata, MetadataNode, NamedMetadata
from ..tables.debuginfo import DEBUG_ROWS
from ..tables.dwarf import ACCESS, ENCODINGS, FLAGS, LANGUAGES, OPERATIONS, TAGS, VIRTUALITIES
from .later import DEBUG_WORDS, DROPPED_FIELDS
from .tokens import AssemblyToken
from .values import ValueParser

__all__ = ["MetadataParser"]

ROWS = {row.name: row for row in DEBUG_ROWS.values()}
NUMBERS = {
    name: number
    for table in (
        TAGS,
        LANGUAGES,
        ENCODINGS,
        VIRTUALITIES,
        ACCESS,
        FLAGS,
        {number: name for number, (name, _) in OPERATIONS.items()},
    )
    for number, name in table.items()
}
NUMBERS.update(DEBUG_WORDS)
AUTOMATIC, ARGUMENT = 0x100, 0x101  # tags of local variables
# Tags that are not printed, since they go without saying.
TAG_DEFAULTS = {"DIBasicType": 0x24, "DITemplateValueParameter": 0x30}
DEFAULTS: dict[str, DebugField] = {"m": None, "n": None}


class MetadataParser(ValueParser):
    """A reader of metadata. Nodes are made first, and filled when all have been made."""

    def __init__(self, source: Source, limits: Limits = DEFAULT) -> None:
        super().__init__(source, limits)
        self.names: dict[int, AssemblyToken] = {}  # nodes that stand for others
        self.inline: list[MetadataNode] = []  # nodes without a number
        self.expressions: dict[tuple[DebugField, ...], DebugNode] = {}
        self.units: list[tuple[DebugNode, AssemblyToken]] = []  # subprograms with their units

    def declare_node(self) -> int:
        """Move past `!0 = …` and make its node; return where it begins."""
        token = self.token
        number = token.text[1:]
        if not number.isdigit() or len(number) > 9:
            self.fail("expected the number of a node", token)
        start = self.skip_statement()
        if int(number) in self.nodes:
            self.fail(f"expected one definition of {token.text}", token)
        distinct = self.tokens[start + 2].text == "distinct" if self.at > start + 2 else False
        head = self.tokens[min(start + 2 + distinct, self.at)]
        if head.text == "!DIGlobalVariableExpression":
            self._name(int(number), start)
            return start
        if head.text == "!{":
            node = MetadataNode([], distinct)
        else:
            row = ROWS.get(head.text[1:])
            if row is None:
                self.fail(f"unknown node {head.text!r:.40}", head)
            node = DebugNode(row, [], distinct)
        self.nodes[int(number)] = node
        return start

    def _name(self, number: int, start: int) -> None:
        """Read a node that stands for a variable: LLVM 3.7 has the variable itself."""
        end, self.at = self.at, start
        while self.token.text != "var:" and self.at < end:
            self.at += 1
        self.next()
        self.names[number] = self.take("node", "a node")
        self.at = end

    def resolve_names(self) -> None:
        """Let the numbers of nodes that stand for others be of those."""
        for number, token in self.names.items():
            self.nodes[number] = self.node(token)

    def node(self, token: AssemblyToken) -> MetadataNode:
        if token.text != "!DIExpression":
            return super().node(token)
        made = DebugNode(ROWS["DIExpression"], [])
        self.expect("(")
        self._operations(made)
        known = self.expressions.setdefault(tuple(made.rest), made)
        if known is made:
            self.inline.append(made)
        return known

    def define_node(self, start: int) -> None:
        """Read the node that begins at a token."""
        self.at = start
        if int(self.token.text[1:]) in self.names:
            return
        node = self.node(self.next())
        self.expect("=")
        self.accept("distinct")
        head = self.next()
        if isinstance(node, DebugNode):
            self.expect("(")
            if head.text == "!DIExpression":
                self._operations(node)
            elif head.text == "!GenericDINode":
                self.fail("GenericDINode is not supported", head)
            else:
                self._fields(node)
        else:
            while not self.accept("}"):
                if node.elements:
                    self.expect(",")
                node.elements.append(self._element())

    def _element(self) -> Metadata | None:
        return None if self.accept("null") else self.metadata_operand()

    def _fields(self, node: DebugNode) -> None:
        row = node.row
        kinds = dict(zip(row.names, row.kinds, strict=True))
        found: dict[str, DebugField] = {}
        while not self.accept(")"):
            if found:
                self.expect(",")
            token = self.take("label", "the name of a field")
            name = token.text[:-1]
            if name in DROPPED_FIELDS.get(row.name, ()):
                self._skip_field()
                continue
            if row.name == "DISubprogram" and name in ("spFlags", "unit", "retainedNodes"):
                self._subprogram_field(node, name, found)
                continue
            if name not in kinds or name in found:
                self.fail(f"expected another field of {row.name}, got {name!r:.40}", token)
            found[name] = self._field(kinds[name])
        tag = TAG_DEFAULTS.get(row.name, 0)
        if row.name == "DILocalVariable":  # not stated since LLVM 3.8
            tag = ARGUMENT if found.get("arg") else AUTOMATIC
        node.values = [
            found.get(name, tag if kind == "t" else DEFAULTS.get(kind, 0))
            for name, kind in kinds.items()
        ]

    def _skip_field(self) -> None:
        while self.token.text not in (",", ")") and self.token.kind != "end":
            if self.next().text[0] == "!" and self.token.text == "(":
                self.skip_parentheses()

    def _subprogram_field(self, node: DebugNode, name: str, found: dict[str, DebugField]) -> None:
        """Read a field of DISubprogram that LLVM 3.7 spells otherwise."""
        if name == "unit":
            self.units.append((node, self.take("node", "a node")))
        elif name == "retainedNodes":
            found["variables"] = self._field("m")
        else:
            flags = self._field("i")
            assert isinstance(flags, int)
            found["virtuality"] = flags & 3
            for bit, each in ((4, "isLocal"), (8, "isDefinition"), (16, "isOptimized")):
                found[each] = int(flags & bit != 0)

    def join_units(self) -> None:
        """List subprograms in their units, as LLVM 3.7 does."""
        listed: dict[MetadataNode, dict[Metadata | None, None]] = {}
        for node, token in self.units:
            unit = self.node(token)
            if not isinstance(unit, DebugNode) or unit.row.name != "DICompileUnit":
                self.fail("expected a unit", token)
            known = unit["subprograms"]
            if not isinstance(known, MetadataNode):
                known = unit["subprograms"] = MetadataNode([])
                self.inline.append(known)
            listed.setdefault(known, dict.fromkeys(known.elements))[node] = None
        for known, elements in listed.items():
            known.elements[:] = elements

    def _field(self, kind: str) -> DebugField:
        token = self.token
        if kind in "mn":
            if token.kind == "text" and token.text.startswith('"'):
                text = self.take_text()
                return self.pool.text(text) if text else None
            return self._element()
        if token.kind == "word" and token.text in ("true", "false"):
            return int(self.next().text == "true")
        value = self._number()
        while self.accept("|"):
            value |= self._number()
        return value

    def _number(self) -> int:
        token = self.token
        if token.kind != "word":
            return self.take_number()
        found = NUMBERS.get(token.text)
        if found is None:
            self.fail(f"unknown word {token.text!r:.40}", token)
        self.next()
        return found

    def _operations(self, node: DebugNode) -> None:
        while not self.accept(")"):
            if node.rest:
                self.expect(",")
            node.rest.append(self._number())

    def named_metadata(self, start: int) -> None:
        """Read `!name = !{!0, !1}`."""
        self.at = start
        made = NamedMetadata(self.next().name, [])
        self.expect("=")
        self.expect("!{")
        while not self.accept("}"):
            if made.nodes:
                self.expect(",")
            made.nodes.append(self.node(self.take("node", "a node")))
        self.module.named_metadata.append(made)
