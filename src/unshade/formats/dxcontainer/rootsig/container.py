"""The text of a container with a root signature and no program, and containers made from it.

    // rootsig_1_1
    CBV(b0, space=1)

The first line is the profile of compilers that make such containers, which includes the version.
With a donor, its root signature is replaced.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ....dialect import no_options, only_source
from ....errors import FormatError, UnsupportedError
from ....isa.source import Source
from ....wire import read
from ..parts.rts0 import SerializedRootSignature
from .printing import to_text
from .reading import NAMED, read_text

if TYPE_CHECKING:
    from ..shader import DxContainer

__all__ = ["assemble", "disassemble", "is_text", "readable"]

if TYPE_CHECKING:
    Container = TypeVar("Container", bound="DxContainer")
else:  # a class in quotes would be compiled
    Container = TypeVar("Container")

PROFILE = re.compile(r"\s*//[ \t]*rootsig_1_([0-9])[ \t\r]*(?:\n|$)")
CLAUSE = re.compile(
    r"(?:\s|[\"\\]|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*"
    r"(?:\[\s*RootSignature\s*\((?=[^;{}]*\Z)|(?:#define[ \t]+\w+[\s\\]+\"[\s\\\"]*)?"
    r"(?:RootFlags|RootConstants|DescriptorTable|StaticSampler|CBV|SRV|UAV)\s*\()",
    re.IGNORECASE,
)
NAME = "RTS0"


def is_text(text: str) -> bool:
    """Return True if a text is a root signature and not a listing."""
    return PROFILE.match(text) is not None or CLAUSE.match(text) is not None


def readable(shader: "DxContainer") -> SerializedRootSignature | None:
    """Return the root signature of a container, or None if there is none that can be read."""
    part = shader.parts.get(NAME)
    record = None if part is None else part.value
    typed = isinstance(record, SerializedRootSignature) and 1 <= record.version <= 3
    return record if typed else None


def disassemble(shader: "DxContainer", *, exact: bool, strict: bool, **options: Any) -> str:
    """Return the text of the root signature, which has no options.

    Raises:
        UnsupportedError: There is no root signature that can be read.
    """
    no_options("root signature", options)
    record = readable(shader)
    if record is None:
        raise UnsupportedError("nothing to list: expected a part RTS0 that can be read")
    return f"// rootsig_1_{record.version - 1}\n{to_text(record)}\n"


def of_part(cls: type[Container], data: bytes) -> Container:
    """Return a container with the root signature of a part's data.

    Raises:
        FormatError: The data is not a root signature.
    """
    record = read(SerializedRootSignature, data)
    if not 1 <= record.version <= len(NAMED):
        raise FormatError(f"expected a version of 1 to {len(NAMED)}, got {record.version}")
    shader = cls()
    shader[NAME] = record
    return shader


def assemble(
    cls: type[Container],
    sources: Sequence[Source],
    donor: "DxContainer | None" = None,
    **options: Any,
) -> Container:
    """Return a container with the root signature of a text, or the donor with it.

    Raises:
        AssembleError: The text is malformed.
        UsageError: There is not exactly one source, or an option is given.
    """
    no_options("root signature", options)
    source = only_source(sources)
    stated = PROFILE.match(source.text)
    version = None if stated is None else f"1.{stated[1]}"
    if stated is not None and version not in NAMED:
        line = source.text.count("\n", 0, stated.start(1)) + 1
        raise source.error(f"expected a version of {', '.join(NAMED)}, got {version!r}", line)
    record, remarks = read_text(source, version)
    shader = cls() if donor is None else cls.loads(donor.to_bytes(), donor.limits)
    if NAME not in shader or shader[NAME] != record:
        shader[NAME] = record
    shader.parts[NAME].remarks = remarks
    return shader
