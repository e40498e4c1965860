"""Listings of vkd3d-compiler: details that they omit, completed as fxc encodes them.

    mul r0.xyz, r1.x, cb0[0].xyzx             r1.xxxx, a swizzle
    sample_indexable(texture2d) r0.xyzw, …    (float,float,float,float)
    dcl_sampler s0                            mode_default
    dcl_resource_raw t0[0:0].xyzw, space=0    the swizzle xyzw of a range

An operand that repeats one component is printed like an operand of one component. fxc writes one
component if the result has one, or if the operation takes a scalar there (an address of a buffer, a
level of detail, a condition), and a swizzle otherwise.

Source: 1,471 listings of vkd3d-compiler 2.1 and their programs; how fxc encodes components, from
839 programs.
"""

import re
from collections.abc import Iterable, Iterator

from ....isa.source import Location, Source
from ..instruction import Instruction
from ..operands import TYPES, Operand
from ..tables import aliases
from ..tables.enumerations import Components, ExtendedOpcode, OperandType, SelectionMode
from ..tables.ops import Op
from ..tables.tokens import ResourceReturn
from ..text.declarations import DECLARATIONS
from .operands import MOST_INDICES, XYZW

__all__ = ["complete", "is_certain", "is_likely"]

# No other tool prints these: its names, samplers without a mode, and floats with nine digits.
SIGNS = re.compile(
    rf"""^(?![ \t]*//)[^\n]*(?:
        (?<![\w.])(?:{"|".join(aliases.OF_VKD3D)})(?![A-Za-z0-9])
        | dcl_sampler[ \t]+s[0-9]+(?:\[[0-9:*]{1, 30}\])?[ \t]*(?:$|,[ \t]*(?:comparisonMode|space))
        | [(,\t -][0-9]\.[0-9]{{8}}e[-+][0-9]{{2}}[,)]
    )""",
    re.ASCII | re.MULTILINE | re.VERBOSE,
)
FLOATS = ExtendedOpcode.RESOURCE_RETURN_TYPE.value | sum(
    5 << bits.low
    for bits in (ResourceReturn.x, ResourceReturn.y, ResourceReturn.z, ResourceReturn.w)
)
# The sources that are vectors even if the result has one component, counted after the results.
VECTORS = {
    "dp2": (0, 1), "dp3": (0, 1), "dp4": (0, 1),
    "sample": (0,), "sample_c": (0,), "sample_c_lz": (0,), "sample_l": (0,), "sample_b": (0,),
    "sample_d": (0, 3, 4), "gather4": (0,), "gather4_c": (0,), "gather4_po": (0, 1),
    "gather4_po_c": (0, 1), "lod": (0,), "ld": (0,), "ldms": (0,), "ld_uav_typed": (0,),
    "store_uav_typed": (1, 2),
}  # fmt: skip
RESOURCES = "TUR"  # letters of operands that are vectors, too
QUERIES = ("lod", "sampleinfo")  # whose resource has as many components as the result
SHIFTS = ("ishl", "ishr", "ushr")  # fxc writes some amounts as one component, whatever the result
SCALARS = frozenset(("tex", "mem", "atomic", "flow"))  # kinds of operations: their other sources
ONE = 0xF  # of a token: number of components and mode
MASKED = Components.FOUR | SelectionMode.MASK << 2
SELECTED = Components.FOUR | SelectionMode.SELECT_1 << 2
STORED = ("store_raw", "store_structured")  # their last source has the components that are written


def is_certain(source: Source) -> bool:
    """Return whether the words of a text show that it is a listing of vkd3d-compiler."""
    return SIGNS.search(source.text) is not None


def is_likely(instructions: Iterable[Instruction]) -> bool:
    """Return whether operands and types of a program indicate a listing of vkd3d-compiler.

    A program that no compiler makes may have such operands, too.
    """
    return any(
        _lacks_types(each) or (each.name not in SHIFTS and any(True for _ in _repeated(each)))
        for each in instructions
        if each.op is not None
    )


def complete(made: Instruction, place: Location) -> None:
    """Add details that an instruction's text omits; AssembleError if they are ambiguous."""
    for operand in made.operands:
        if not operand.indices and operand.token & TYPES == OperandType.TEMP:
            problem = "expected a number after 'r': vkd3d-compiler prints 'r' for registers"
            raise place.error(f"{problem} that it does not know")
    if made.name in DECLARATIONS:
        for operand in made.operands:
            if len(operand.indices) == MOST_INDICES:
                operand.token = operand.token & ~0xFFF | Components.FOUR | XYZW
    if _lacks_types(made):
        made.extended = (*made.extended, FLOATS)
    for operand in _repeated(made):
        swizzle = operand.select * 0x55
        operand.token = operand.token & ~0xFFC | SelectionMode.SWIZZLE << 2 | swizzle << 4


def _lacks_types(made: Instruction) -> bool:
    """Return whether the dimension of a resource is not followed by its types."""
    return bool(made.extended) and made.extended[-1] & 0x3F == ExtendedOpcode.RESOURCE_DIM


def _repeated(made: Instruction) -> Iterator[Operand]:
    """Yield the sources of one component that fxc writes as a swizzle."""
    row = made.op
    if row is None or row.name in DECLARATIONS:
        return
    operands = made.operands[: len(row.operands)]
    wide = any(
        operand.token & ONE == MASKED and operand.mask.bit_count() > 1 for operand in operands
    )
    for at, operand in enumerate(operands):
        if operand.token & ONE == SELECTED and _is_vector(row, at, wide):
            yield operand


def _is_vector(row: Op, at: int, wide: bool) -> bool:
    """Return whether fxc writes a source as a vector if all its components are the same."""
    if row.operands[at] in RESOURCES:
        return row.name not in QUERIES or wide
    name = row.name.removesuffix("_s").removesuffix("_cl")
    if at - row.results in VECTORS.get(name, ()):
        return True
    if row.name == "eval_sample_index" and at == len(row.operands) - 1:
        return False
    if row.kind in SCALARS and not (row.name in STORED and at == len(row.operands) - 1):
        return False
    return wide
