"""The text of a root signature: tokens and clauses.

    signature  = [clause {"," clause}]
    clause     = name "(" [argument {"," argument}] ")"
    argument   = clause | register | name "=" value {"|" value}

Names are read in any case, the arguments of a clause in any order. Quotation marks and backslashes
at the ends of lines, which surround the text in HLSL, are skipped like blanks, and so are comments.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ....errors import AssembleError, UsageError
from ....isa.source import Location, Source
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
    CONSTANTS,
    DESCRIPTOR,
    RANGE,
    RANGES,
    ROOT_DESCRIPTORS,
    ROOT_FLAGS,
    SAMPLER,
    STATIC_SAMPLER_FLAGS,
    VISIBILITY,
    ClauseArgument,
    FlagForm,
    NumberForm,
)

__all__ = ["from_text"]

TOKEN = re.compile(
    r"(?P<blank>[ \t\r\f\v\"\\]+|//[^\n]*)"
    r"|(?P<word>asfloat\(0x[0-9a-fA-F]{8}\)|[A-Za-z_]\w*"
    r"|[+-]?(?:[0-9]+\.?|\.[0-9])(?:[eE][+-]|\w|\.)*)"
    r"|(?P<mark>[(),=|])",
    re.ASCII,
)
REGISTER = re.compile(r"([bstu])([0-9]{1,10})", re.IGNORECASE)
NAMED = {"1.0": 1, "1.1": 2, "1.2": 3}
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
        AssembleError: The text is malformed; with line and column.
        UsageError: The version is unknown.
    """
    if version is not None and version not in NAMED:
        raise UsageError(f"expected a version of {', '.join(NAMED)}, got {version!r:.40}")
    source = text if isinstance(text, Source) else Source(text)
    return _SignatureReader(source).signature(version)


def _tokens(source: Source) -> Iterator[SignatureToken]:
    line, end = 1, Location(source, 1, 1, 1)
    for line, text in enumerate(source.lines, 1):
        at = 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None:
                raise source.error(f"unexpected character {text[at]!r}", line, at + 1)
            at = found.end()
            if found.lastgroup != "blank":
                end = Location(source, line, found.start() + 1, len(found[0]))
                yield SignatureToken(found[0], end)
    yield SignatureToken("", end._replace(column=end.column + end.width, width=1))


class _SignatureReader:
    def __init__(self, source: Source) -> None:
        self.tokens = _tokens(source)
        self.token = next(self.tokens)
        self.newest = 0
        self.flagged: SignatureToken | None = None  # a flag that only version 1.2 has

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

    def signature(self, version: str | None) -> SerializedRootSignature:
        made = SerializedRootSignature(version=0, flags=0)
        seen_flags = False
        while self.token.text:
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
                made.parameters.append(self.parameter(key))
            if not self.accept(","):
                break
        if self.token.text:
            raise self.expected("',' or the end")
        made.version = NAMED[version or ("1.1" if self.flagged is None else "1.2")]
        if self.flagged is not None and made.version < NAMED["1.2"]:
            raise self.flagged.place.error("flags of a static sampler need version 1.2")
        return made

    def parameter(self, key: str) -> Parameter:
        payload: DescriptorTable | Constants | Descriptor
        if key == "descriptortable":
            payload, values = self.table()
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

    def table(self) -> tuple[DescriptorTable, dict[str, Any]]:
        ranges = []
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
                register, values = self.arguments(letter, RANGE)
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

    def arguments(self, letter: str, known: Sequence[ClauseArgument]) -> tuple[int, dict[str, Any]]:
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
                found[argument.attribute] = self.value(argument)
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

    def value(self, argument: ClauseArgument) -> Any:
        form = argument.form
        if isinstance(form, FlagForm):
            first = self.token
            flags = self.flags(form)
            if form is STATIC_SAMPLER_FLAGS and flags:
                self.flagged = first
            return flags
        token = self.take()
        try:
            return form.read(token.text)
        except ValueError:
            raise self.expected(form.wanted, token) from None

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
