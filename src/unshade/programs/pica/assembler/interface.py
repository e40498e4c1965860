"""Directives for the stage, the entry point, the inputs and the outputs of a source.

    .in name [v2]
    .out name|- texcoord0[.xy]       .out name|- texcoord0 o2[.xy]
    .entry name      .nodvle
    .gsh             .gsh point c0   .gsh variable c4 3   .gsh fixed c4 c0 4

An input or output without a register gets the first free one. Only a dummy can be in o7 to o15.

Source: picasso's manual; its behaviour where the manual is silent.
"""

from typing import TYPE_CHECKING

from ....isa.source import Location, Scanner
from ....vocab.pica import INPUTS, PIPELINE_OUTPUTS, OutputType, PicaGeometryMode
from ..descriptors import IDENTITY, swizzle_components
from ..tables.registers import Register, RegisterFile
from .allocation import spaces
from .assembly import DeclaredGeometry, DeclaredOutput, DeclaredUniform
from .declarations import new_name, word
from .numbers import small
from .operands import KINDS, NAME, Alias, ParsedOperand, components, in_order, read_operand

if TYPE_CHECKING:
    from .reader import Directive, PicassoReader

__all__ = ["INTERFACE"]

MOST_OUTPUTS = 16
SEMANTICS = {each.name.lower(): int(each) for each in OutputType} | {
    "pos": OutputType.POSITION,
    "nquat": OutputType.NORMALQUAT,
    "clr": OutputType.COLOR,
    "tcoord0": OutputType.TEXCOORD0,
    "tcoord0w": OutputType.TEXCOORD0W,
    "tcoord1": OutputType.TEXCOORD1,
    "tcoord2": OutputType.TEXCOORD2,
}
MODES = {each.name.lower(): int(each) for each in PicaGeometryMode} | {
    "subdivision": PicaGeometryMode.VARIABLE,
    "particle": PicaGeometryMode.FIXED,
}


def _in(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    unit = reader.declares()
    name, where = new_name(reader, scanner, "a name for the input")
    number = _free(unit.input_mask, INPUTS)
    if not scanner.done:
        operand = read_operand(scanner, reader.aliases, KINDS[RegisterFile.INPUT])
        register = operand.register
        if register.file is not RegisterFile.INPUT or operand.components or operand.negate:
            raise operand.error("expected an input, v0 to v15, without components or a sign")
        number = register.number
    reader.finish(scanner)
    if number is None:
        raise where.error(f"all {INPUTS} inputs are taken")
    unit.input_mask |= 1 << number
    unit.uniforms.append(DeclaredUniform(name, Register(RegisterFile.INPUT, number)))
    reader.aliases[name] = Alias(Register(RegisterFile.INPUT, number))


def _free(taken: int, count: int) -> int | None:
    return next((n for n in range(count) if not taken >> n & 1), None)


def _out(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    unit = reader.declares()
    name, where = "", place
    if not scanner.accept("-"):
        name, where = new_name(reader, scanner, "a name for the output, or '-'")
    meant_at = scanner.at
    semantic = word(scanner, "the type of the output", SEMANTICS, "output")
    meant = scanner.place(meant_at)
    swizzle, masked, _ = components(scanner)
    number = _free(unit.output_mask, unit.outputs_available)
    if not scanner.done:
        if masked:
            raise scanner.expected("the end of the line (the mask belongs to the register)")
        operand = _output(reader, scanner)
        number, swizzle, meant = operand.register.number, operand.swizzle, operand.place
    reader.finish(scanner)
    if number is None or len(unit.outputs) == MOST_OUTPUTS:
        raise where.error(f"all {unit.outputs_available} outputs are taken")
    if number >= PIPELINE_OUTPUTS and semantic != OutputType.DUMMY:
        raise meant.error(f"o{number} can only be a dummy; other outputs are o0 to o6")
    if not in_order(swizzle):
        reader.warn("mask-order", meant, "the order of components has no effect here")
    mask = sum({1 << component for component in swizzle_components(swizzle)})
    for other in unit.outputs:
        if isinstance(other, DeclaredOutput) and other.register == number and other.mask & mask:
            raise meant.error(f"these components of o{number} are already an output")
    unit.outputs.append(DeclaredOutput(semantic, number, mask))
    unit.output_mask |= 1 << number
    unit.merge |= (
        semantic == OutputType.DUMMY and unit.geometry is not None and not unit.shares_uniforms
    )
    if name:
        reader.aliases[name] = Alias(Register(RegisterFile.OUTPUT, number), IDENTITY)


def _output(reader: "PicassoReader", scanner: Scanner) -> ParsedOperand:
    operand = read_operand(scanner, reader.aliases, KINDS[RegisterFile.OUTPUT])
    if operand.register.file is not RegisterFile.OUTPUT or operand.negate or operand.empty:
        raise operand.error("expected an output register, o0 to o15")
    reader.check_output(operand)
    return operand


def _entry(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    unit = reader.declares()
    start = scanner.at
    unit.entry = scanner.take(NAME, "the name of a procedure")
    unit.entry_place = scanner.place(start)
    unit.has_entry = True
    reader.finish(scanner)


def _nodvle(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    reader.finish(scanner)
    reader.unit.without_dvle = reader.hidden = True


def _gsh(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    unit = reader.declares()
    if scanner.done:
        unit.stage = "geometry"
        reader.share_uniforms()
        return
    if unit.stage == "geometry":
        raise place.error("this is already a geometry shader; .gsh must come once, before setemit")
    if unit.constants or unit.uniforms or unit.output_mask:
        raise place.error(".gsh must come before uniforms, constants, inputs and outputs")
    mode = word(scanner, "point, variable or fixed", MODES, "geometry mode")
    first = _float(reader, scanner, "the first float uniform to be used for names")
    start = variable = fixed = 0
    if mode == PicaGeometryMode.VARIABLE:
        variable = small(scanner, "a number of vertices", 255)
    elif mode == PicaGeometryMode.FIXED:
        at = scanner.at
        start = _float(reader, scanner, "the float uniform where vertices begin")
        if start >= first:
            raise scanner.place(at).error(f"vertices from c{start} would overwrite c{first}")
        fixed = small(scanner, "a number of vertices", 255)
    reader.finish(scanner)
    unit.stage = "geometry"
    unit.geometry = DeclaredGeometry(mode, start, variable, fixed)
    unit.shares_uniforms = False
    reader.spaces = spaces(first, geometry=True)


def _float(reader: "PicassoReader", scanner: Scanner, wanted: str) -> int:
    operand = read_operand(scanner, reader.aliases, wanted)
    if operand.register.file is not RegisterFile.FLOAT or operand.components or operand.negate:
        raise operand.error(f"expected {wanted}, a c register")
    return operand.register.number


INTERFACE: "dict[str, Directive]" = {
    "in": _in,
    "out": _out,
    "entry": _entry,
    "nodvle": _nodvle,
    "gsh": _gsh,
}
