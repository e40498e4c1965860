"""Metadata nodes in LLVM assembly: `!{…}`, and nodes with fields such as `!DILocation(line: 1)`."""

from ..model.metadata import DebugField, DebugNode, Metadata, MetadataNode, NamedMetadata
from ..tables.debuginfo import DEBUG_ROWS
from ..tables.dwarf import ACCESS, ENCODINGS, FLAGS, LANGUAGES, OPERATIONS, TAGS, VIRTUALITIES
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
# Tags that are not printed, since they go without saying.
TAG_DEFAULTS = {"DIBasicType": 0x24, "DITemplateValueParameter": 0x30}
DEFAULTS: dict[str, DebugField] = {"m": None, "n": None}


class MetadataParser(ValueParser):
    """A reader of metadata. Nodes are made first, and filled when all have been made."""

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
        if head.text == "!{":
            node = MetadataNode([], distinct)
        else:
            row = ROWS.get(head.text[1:])
            if row is None:
                self.fail(f"unknown node {head.text!r:.40}", head)
            node = DebugNode(row, [], distinct)
        self.nodes[int(number)] = node
        return start

    def define_node(self, start: int) -> None:
        """Read the node that begins at a token."""
        self.at = start
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
            if name not in kinds or name in found:
                self.fail(f"expected another field of {row.name}, got {name!r:.40}", token)
            found[name] = self._field(kinds[name])
        node.values = [
            found.get(name, TAG_DEFAULTS.get(row.name, 0) if kind == "t" else DEFAULTS.get(kind, 0))
            for name, kind in kinds.items()
        ]

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
