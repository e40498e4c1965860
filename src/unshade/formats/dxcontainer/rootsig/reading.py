"""The text of a root signature: tokens and clauses.

    text       = signature
               | "[" "RootSignature" "(" signature ")" "]"
               | "#define" name signature ["[" "RootSignature" "(" name ")" "]"]
    signature  = [clause {"," clause}]
    clause     = name "(" [argument {"," argument}] ")"
    argument   = clause | register | name "=" value {"|" value}

Names are read in any case, the arguments of a clause in any order. Quotation marks and backslashes
at the ends of lines, which surround the text in HLSL, are skipped like blanks, and so are comments.
The attribute and the macro are written as in HLSL, without the code that follows there.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ....errors import AssembleError, Diagnostic, UsageError
from ....isa.source import Location, Source
from ....model.rootsignature_rules import RULES
from ....tuples import NamedTuple
from ..parts.rts0 import (
    Constants,
    Descriptor,
    DescriptorRange,
    DescriptorTable,
    Parameter,
    ParameterType,
    SerializedRootSignature,
    StaticSamplerDescription,
)
from .arguments import (
    ALL_BITS,
    APPEND,
    CONSTANTS,
    DESCRIPTOR,
    RANGE,
    RANGES,
    ROOT_DESCRIPTORS,
    ROOT_FLAGS,
    SAMPLER,
    VISIBILITY,
    ClauseArgument,
    FlagForm,
    NumberForm,
)

__all__ = ["from_text", "read_text"]

TOKEN = re.compile(
    r"(?P<blank>[ \t\r\f\v\"\\]+|//[^\n]*)"
    r"|(?P<comment>/\*)"
    r"|(?P<word>asfloat\(0x[0-9a-fA-F]{8}\)|[A-Za-z_]\w*"
    r"|[+-]?(?:[0-9]+\.?|\.[0-9])(?:[eE][+-]|\w|\.)*|#[ \t]*define\b)"
    r"|(?P<mark>[(),=|\[\]])",
    re.ASCII,
)
IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
REGISTER = re.compile(r"([bstu])([0-9]{1,10})", re.IGNORECASE)
NAMED = {"1.0": 1, "1.1": 2, "1.2": 3}
DEFAULT_VERSION = NAMED["1.1"]
COUNT = ClauseArgument("num32BitConstants", "count", NumberForm(), None)
REGISTER_LIMIT = 0xFFFF_FFFF


class SignatureToken(NamedTuple):
    """A word or a mark, and its place; empty at the end of the text."""

    text: str
    place: Location


def from_text(text: str | Source, version: str | None = None) -> SerializedRootSignature:
    """Return the root signature that a text describes.

    Args:
        text: The text, as in the string of HLSL's attribute `RootSignature`.
        version: "1.0", "1.1" or "1.2"; by default 1.1, or 1.2 if a static sampler has flags.

    Raises:
        AssembleError: The text is malformed, or has flags that the version does not have; with
            line and column.
        UsageError: The version is unknown.
    """
    return read_text(text, version)[0]


def read_text(
    text: str | Source, version: str | None = None
) -> tuple[SerializedRootSignature, list[Diagnostic]]:
    """Return the root signature that a text describes, and findings about the text alone.

    Raises:
        AssembleError, UsageError: As `from_text`.
    """
    if version is not None and version not in NAMED:
        raise UsageError(f"expected a version of {', '.join(NAMED)}, got {version!r:.40}")
    source = text if isinstance(text, Source) else Source(text)
    reader = _SignatureReader(source)
    return reader.text(version), reader.remarks


def _tokens(source: Source) -> Iterator[SignatureToken]:
    line, end = 1, Location(source, 1, 1, 1)
    comment: Location | None = None
    for line, text in enumerate(source.lines, 1):
        at = 0
        while at < len(text):
            if comment is not None:
                closed = text.find("*/", at)
                if closed < 0:
                    break
                comment, at = None, closed + 2
                continue
            found = TOKEN.match(text, at)
            if found is None:
                raise source.error(f"unexpected character {text[at]!r}", line, at + 1)
            at = found.end()
            if found.lastgroup == "comment":
                comment = Location(source, line, found.start() + 1, len(found[0]))
            elif found.lastgroup != "blank":
                end = Location(source, line, found.start() + 1, len(found[0]))
                yield SignatureToken(found[0], end)
    if comment is not None:
        raise comment.error("expected */ at the end of the comment, got the end")
    yield SignatureToken("", end._replace(column=end.column + end.width, width=1))


class _SignatureReader:
    def __init__(self, source: Source) -> None:
        self.tokens = _tokens(source)
        self.token = next(self.tokens)
        self.flagged: list[tuple[FlagForm, SignatureToken]] = []  # flags that not all versions have
        self.remarks: list[Diagnostic] = []

    # -- tokens ----------------------------------------------------------------------------

    def take(self) -> SignatureToken:
        taken = self.token
        if taken.text:
            self.token = next(self.tokens)
        return taken

    def expected(self, wanted: str, token: SignatureToken | None = None) -> AssembleError:
        token = self.token if token is None else token
        got = f"{token.text!r:.60}" if token.text else "the end"
        return token.place.error(f"expected {wanted}, got {got}")

    def accept(self, mark: str) -> bool:
        if self.token.text != mark:
            return False
        self.take()
        return True

    def expect(self, mark: str) -> None:
        if not self.accept(mark):
            raise self.expected(repr(mark))

    # -- clauses ---------------------------------------------------------------------------

    def text(self, version: str | None) -> SerializedRootSignature:
        """Return the root signature of a text, which may be a macro or an attribute of HLSL."""
        macro: SignatureToken | None = None
        if self.token.text.startswith("#"):
            self.take()
            macro = self.take()
            if not IDENTIFIER.fullmatch(macro.text):
                raise self.expected("the name of a macro", macro)
        is_attribute = macro is None and self.attribute()
        made = self.signature(version)
        if macro is not None and self.attribute():
            used = self.take()
            if used.text != macro.text:
                raise self.expected(f"the macro {macro.text}", used)
            is_attribute = True
        if is_attribute:
            self.expect(")")
            self.expect("]")
        if self.token.text:
            raise self.expected("the end" if is_attribute else "',' or the end")
        return made

    def attribute(self) -> bool:
        """Read the name and sign of an attribute, if it is next."""
        if not self.accept("["):
            return False
        name = self.take()
        if name.text.lower() != "rootsignature":
            raise self.expected("RootSignature", name)
        self.expect("(")
        return True

    def signature(self, version: str | None) -> SerializedRootSignature:
        made = SerializedRootSignature(version=0, flags=0)
        seen_flags = False
        while self.token.text not in ("", ")", "["):
            name = self.take()
            key = name.text.lower()
            if key not in CLAUSES:
                raise name.place.unknown("clause", name.text, NAMES)
            self.expect("(")
            if key == "rootflags":
                if seen_flags:
                    raise name.place.error("RootFlags is given twice")
                seen_flags = True
                made.flags = self.flags(ROOT_FLAGS)
                self.expect(")")
            elif key == "staticsampler":
                made.samplers.append(self.sampler())
            else:
                path = f"parameters[{len(made.parameters)}].payload"
                made.parameters.append(self.parameter(key, path))
            if not self.accept(","):
                break
        newest = max((form.since for form, _ in self.flagged), default=DEFAULT_VERSION)
        made.version = max(newest, DEFAULT_VERSION) if version is None else NAMED[version]
        for form, token in self.flagged:
            if form.since > made.version:
                needed = next(name for name, number in NAMED.items() if number == form.since)
                raise token.place.error(f"flags of {form.noun} need version {needed}")
        return made

    def parameter(self, key: str, path: str) -> Parameter:
        payload: DescriptorTable | Constants | Descriptor
        if key == "descriptortable":
            payload, values = self.table(path)
            kind = ParameterType.DESCRIPTOR_TABLE
        elif key == "rootconstants":
            register, values = self.arguments("b", (COUNT, *CONSTANTS))
            kind = ParameterType.CONSTANTS_32BIT
            visibility = values.pop("visibility")
            payload = Constants(register=register, **values)
            values = {"visibility": visibility}
        else:
            kind, letter = next(
                (kind, letter)
                for kind, (name, letter) in ROOT_DESCRIPTORS.items()
                if name.lower() == key
            )
            register, values = self.arguments(letter, DESCRIPTOR)
            visibility = values.pop("visibility")
            payload = Descriptor(register=register, **values)
            values = {"visibility": visibility}
        return Parameter(kind=kind, payload=payload, **values)

    def table(self, path: str) -> tuple[DescriptorTable, dict[str, Any]]:
        ranges: list[DescriptorRange] = []
        visibility: int | None = None
        while not self.accept(")"):
            name = self.take()
            key = name.text.lower()
            if key == VISIBILITY.name:
                if visibility is not None:
                    raise name.place.error("visibility is given twice")
                self.expect("=")
                visibility = self.value(VISIBILITY)
            elif key in RANGE_KINDS:
                self.expect("(")
                kind, letter = RANGE_KINDS[key]
                where = f"{path}.ranges[{len(ranges)}]"
                register, values = self.arguments(letter, RANGE, where)
                ranges.append(DescriptorRange(kind=kind, base_register=register, **values))
            else:
                names = [name for name, _ in RANGES.values()] + [VISIBILITY.name]
                raise name.place.unknown("clause of a descriptor table", name.text, names)
            if not self.accept(","):
                self.expect(")")
                break
        return DescriptorTable(ranges=ranges), {"visibility": visibility or 0}

    def sampler(self) -> StaticSamplerDescription:
        register, values = self.arguments("s", SAMPLER)
        return StaticSamplerDescription(register=register, **values)

    # -- arguments -------------------------------------------------------------------------

    def arguments(
        self, letter: str, known: Sequence[ClauseArgument], path: str = ""
    ) -> tuple[int, dict[str, Any]]:
        """Return the register and the values of a clause up to its parenthesis."""
        by_name = {each.name.lower(): each for each in known}
        register: int | None = None
        found: dict[str, Any] = {}
        while True:
            name = self.take()
            match = REGISTER.fullmatch(name.text)
            argument = by_name.get(name.text.lower())
            if match is not None:
                if register is not None:
                    raise name.place.error("the register is given twice")
                register = int(match[2])
                if match[1].lower() != letter or register > REGISTER_LIMIT:
                    raise self.expected(f"a register such as {letter}0", name)
            elif argument is None:
                if not (name.text[:1].isalpha() and self.token.text == "="):
                    raise self.expected(f"a register such as {letter}0 or an argument", name)
                raise name.place.unknown("argument", name.text, [each.name for each in known])
            else:
                if argument.attribute in found:
                    raise name.place.error(f"{argument.name} is given twice")
                self.expect("=")
                token = self.token
                found[argument.attribute] = self.value(argument)
                if argument.name == "offset" and not token.text[:1].isalpha():
                    self.check_offset(found[argument.attribute], token, path)
            if self.token.text == ")":
                break
            self.expect(",")
        end = self.take()
        if register is None:
            raise self.expected(f"a register such as {letter}0", end)
        for each in known:
            if each.default is None and each.attribute not in found:
                raise self.expected(each.name, end)
            found.setdefault(each.attribute, each.default)
        return register, found

    def check_offset(self, offset: int, token: SignatureToken, path: str) -> None:
        """Report the number 4294967295: in a file, it means DESCRIPTOR_RANGE_OFFSET_APPEND."""
        if offset == ALL_BITS:
            place = f"line {token.place.line}, column {token.place.column}"
            message = f"{place}: {token.text} is {APPEND}: the range follows the one before"
            rule = RULES["rts0.offset-text"]
            self.remarks.append(rule.found(message, path=f"RTS0.{path}.table_offset"))

    def value(self, argument: ClauseArgument) -> Any:
        form = argument.form
        if isinstance(form, FlagForm):
            first = self.token
            flags = self.flags(form)
            if flags:
                self.flagged.append((form, first))
            return flags
        token = self.take()
        try:
            return form.read(token.text)
        except ValueError:
            name = form.meant(token.text) if isinstance(form, NumberForm) else ""
            wanted = f"{form.wanted} ({token.text} is written {name})" if name else form.wanted
            raise self.expected(wanted, token) from None

    def flags(self, form: FlagForm) -> int:
        flags = 0
        while True:
            token = self.take()
            try:
                flags |= form.read(token.text)
            except ValueError:
                raise token.place.unknown("flag", token.text, form.names.values()) from None
            if not self.accept("|"):
                return flags


NAMES = ("RootFlags", "RootConstants", "CBV", "SRV", "UAV", "DescriptorTable", "StaticSampler")
CLAUSES = frozenset(name.lower() for name in NAMES)
RANGE_KINDS = {name.lower(): (kind, letter) for kind, (name, letter) in RANGES.items()}
