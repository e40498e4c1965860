"""Signatures in listings of vkd3d-compiler, which prints them with --formatting=+signatures.

    ps_5_0
    .input
    .param SV_POSITION.xyzw, v0, float, POS         name and index, mask; register, components used
    .param TEXCOORD1.xyz, v1.xy, float              type; system value; precision; stream
    .output
    .param SV_DEPTH, oDepth, float, DEPTH           no register: oDepth, oMask, …
    .text
    dcl_input_ps linear v1.xy

Directives precede the code; the reader of the code skips them. The last columns are left out if
they are 0. For an output, the components that the shader writes are printed, as fxc does.

Source: 1,471 listings of vkd3d-compiler 2.1 and their containers.
"""

import re

from .....isa.source import ErrorList, Scanner, Source
from .....programs.tpf.assembler.lexical import DIRECTIVE
from .....vocab.d3d import D3DMinPrecision
from ...parts.signature import ProgramSignature, SignatureElement
from ..listing.signatures import NO_REGISTER, SIGNATURES
from .comments import MARK, chosen
from .signatures import (
    COMPONENT_WORDS,
    PLACES,
    SYSTEM_VALUE_WORDS,
    SignatureReader,
    mask,
    stored,
)

TITLES = {".input": "Input", ".output": "Output", ".patch_constant": "Patch Constant"}
NAME = re.compile(r"([^\s,.]*[^\s,.0-9])([0-9]*)(?=[.,])")
REGISTER = re.compile(r"(?:vicp|vpc|v|o)([0-9]{1,9})(?![A-Za-z0-9])")
STREAM = re.compile(r"m([0-3])\b")
PRECISION_WORDS = {
    "NONE": D3DMinPrecision.DEFAULT,
    "FLOAT_16": D3DMinPrecision.FLOAT_16,
    "FIXED_8_2": D3DMinPrecision.FLOAT_2_8,
    "INT_16": D3DMinPrecision.SINT_16,
    "UINT_16": D3DMinPrecision.UINT_16,
}


def read(
    source: Source, first: int, stage: int, mistakes: ErrorList
) -> dict[str, ProgramSignature]:
    """Return the signatures between the profile, in line `first`, and the code, by title."""
    found: dict[str, ProgramSignature] = {}
    title = ""
    complete = False
    for scanner in source.scanners(first + 1):
        if scanner.done or scanner.rest.startswith(MARK):
            continue
        directive = scanner.match(DIRECTIVE)
        if directive is None:
            break
        complete = True
        with mistakes:
            if directive[0] in TITLES:
                title = TITLES[directive[0]]
                found[title] = ProgramSignature(elements=[])
                scanner.finish()
            elif directive[0] == ".param":
                if not title:
                    raise scanner.place(0).error("expected .input before .param")
                kind = next(each for each in SIGNATURES if each.title == title)
                rows = SignatureReader(stage, stage in kind.writers)
                found[title].elements.append(_row(scanner, rows))
    if complete:  # an empty signature is not printed
        for kind in SIGNATURES[1:]:
            found.setdefault(kind.title, ProgramSignature(elements=[]))
    return found


def _row(scanner: Scanner, rows: SignatureReader) -> SignatureElement:
    found = SignatureElement(stream=0, min_precision=0)
    name = scanner.match(NAME)
    if name is None:
        raise scanner.expected("a semantic, such as TEXCOORD0.xy")
    found.name, found.index = name[1], int(name[2][:9] or 0)
    placed = scanner.accept(".")
    found.mask = mask(scanner) if placed else 1
    scanner.expect(",")
    used = 0
    if placed:
        register = scanner.match(REGISTER)
        if register is None:
            raise scanner.expected("a register, v# or o#")
        found.register = int(register[1])
        used = mask(scanner) if scanner.accept(".") else 0
    else:
        chosen(scanner, "special register", dict.fromkeys(PLACES, 1))
        found.register = NO_REGISTER
        used = 1
    if scanner.accept(","):
        found.component_type = chosen(scanner, "component type", COMPONENT_WORDS)
    if scanner.accept(","):
        value = chosen(scanner, "system value", SYSTEM_VALUE_WORDS)
        found.system_value = stored(found.name, value, rows)
    if scanner.accept(","):
        found.min_precision = chosen(scanner, "precision", PRECISION_WORDS)
    if scanner.accept(","):
        stream = scanner.match(STREAM)
        if stream is None:
            raise scanner.expected("a stream, m0 to m3")
        found.stream = int(stream[1])
    scanner.finish()
    found.rw_mask = rows.masked(used)
    return found
