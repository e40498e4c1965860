"""Verification of Direct3D 9 programs: the rules, and `verify`, which checks them.

ERROR: the runtime refuses the program. WARNING: no compiler writes this.

Source: the pages of the assembly language: the versions of each instruction, the number of
registers of each version, and where `dcl` and `def` may stand.
"""

# ruff: noqa: E501
from ...enums import member_of
from ...errors import Diagnostic, Severity
from ...rule import Findings, Rule, table
from .code import Code
from .instruction import Instruction, LiteralOperand, Operand
from .tables.tokens import RegisterType, TextureKind, Version

__all__ = ["RULES", "verify"]

E, W = Severity.ERROR, Severity.WARNING

# fmt: off
RULES = table((
    Rule("d3d9.opcode",       E, "unknown opcode", "No version of Direct3D 9 has this instruction."),
    Rule("d3d9.version",      E, "the instruction is not part of this version", "Each instruction has a first and a last version, and many are for one of the two kinds of programs only."),
    Rule("d3d9.operands",     E, "the number of operands is not that of the instruction", "The runtime reads as many tokens as the instruction has operands."),
    Rule("d3d9.length",       E, "the length of the instruction is not the number of its tokens", "From Shader Model 2 on, an opcode token has the number of tokens after it; in model 1 it is 0."),
    Rule("d3d9.register",     E, "the register does not exist in this version", "Each version has its own register files, and a number of registers of each."),
    Rule("d3d9.mask",         E, "the destination writes no component", "The mask of a destination selects one component at least."),
    Rule("d3d9.nesting",      E, "the blocks are not closed in order", "`if`, `loop` and `rep` end with `endif`, `endloop` and `endrep`; `else` stands in an `if`, `break` in a loop."),
    Rule("d3d9.declared",     E, "the register is read without a declaration", "Inputs and samplers must be declared from Shader Model 2 on."),
    Rule("d3d9.declaration",  E, "the declaration stands after an instruction", "`dcl` and `def` precede all other instructions."),
    Rule("d3d9.texture",      E, "unknown kind of texture", "A sampler is declared for a texture of two dimensions, a cube or a volume."),
))
# fmt: on

ANY = (1, 0), (3, 0xFF)
# First and last version in vertex shaders, and in pixel shaders; None where there is none.
SINCE_2, SINCE_3 = ((2, 0), (3, 0xFF)), ((3, 0), (3, 0xFF))
SINCE_2X = ((2, 1), (3, 0xFF))
OLD = ((1, 0), (1, 3))
Span = tuple[tuple[int, int], tuple[int, int]]
VERSIONS: dict[str, tuple[Span | None, Span | None]] = {
    **dict.fromkeys(("sub", "mad", "mul", "dp3", "add", "mov", "nop", "def", "ret"), (ANY, ANY)),
    **dict.fromkeys(
        ("rcp", "rsq", "min", "max", "exp", "log", "frc", "m4x4", "m4x3", "m3x4", "m3x3", "m3x2"),
        (ANY, SINCE_2),
    ),
    "dp4": (ANY, ((1, 2), (3, 0xFF))),
    **dict.fromkeys(("slt", "sge", "lit", "dst", "expp", "logp"), (ANY, None)),
    "lrp": (SINCE_2, ANY),
    **dict.fromkeys(("pow", "crs", "abs", "nrm", "sincos"), (SINCE_2, SINCE_2)),
    "sgn": (SINCE_2, None),
    "mova": (SINCE_2, None),
    "dcl": (ANY, SINCE_2),
    **dict.fromkeys(
        ("call", "callnz", "label", "if", "else", "endif", "rep", "endrep", "defb", "defi"),
        (SINCE_2, SINCE_2X),
    ),
    **dict.fromkeys(("loop", "endloop"), (SINCE_2, SINCE_3)),
    **dict.fromkeys(("ifc", "break", "breakc", "breakp", "setp"), (SINCE_2X, SINCE_2X)),
    **dict.fromkeys(("dsx", "dsy", "texldd"), (None, SINCE_2X)),
    "texldl": (SINCE_3, SINCE_3),
    **dict.fromkeys(("texkill", "tex"), (None, ANY)),
    "texcoord": (None, ((1, 0), (1, 4))),
    **dict.fromkeys(
        (
            "texbem",
            "texbeml",
            "texreg2ar",
            "texreg2gb",
            "texm3x2pad",
            "texm3x2tex",
            "texm3x3pad",
            "texm3x3tex",
            "texm3x3spec",
            "texm3x3vspec",
        ),
        (None, OLD),
    ),
    **dict.fromkeys(("texreg2rgb", "texdp3tex", "texdp3", "texm3x3"), (None, ((1, 2), (1, 3)))),
    "texm3x2depth": (None, ((1, 3), (1, 3))),
    **dict.fromkeys(("texdepth", "bem", "phase"), (None, ((1, 4), (1, 4)))),
    "cnd": (None, ((1, 0), (1, 4))),
    "cmp": (None, ((1, 2), (3, 0xFF))),
    "dp2add": (None, SINCE_2),
}
# Registers of each file: in vertex shaders of model 1, 2, 3, and in pixel shaders of model 1, 2, 3.
COUNTS: dict[int, tuple[int, int, int, int, int, int]] = {
    RegisterType.TEMP: (12, 32, 32, 6, 32, 32),
    RegisterType.INPUT: (16, 16, 16, 2, 2, 10),
    RegisterType.CONST: (8192, 8192, 8192, 8, 32, 224),
    RegisterType.ADDR: (1, 1, 1, 6, 8, 0),
    RegisterType.RASTOUT: (3, 3, 0, 0, 0, 0),
    RegisterType.ATTROUT: (2, 2, 0, 0, 0, 0),
    RegisterType.OUTPUT: (8, 8, 12, 0, 0, 0),
    RegisterType.CONSTINT: (0, 16, 16, 0, 16, 16),
    RegisterType.COLOROUT: (0, 0, 0, 0, 4, 4),
    RegisterType.DEPTHOUT: (0, 0, 0, 0, 1, 1),
    RegisterType.SAMPLER: (0, 4, 4, 0, 16, 16),
    RegisterType.CONSTBOOL: (0, 16, 16, 0, 16, 16),
    RegisterType.LOOP: (0, 1, 1, 0, 0, 1),
    RegisterType.MISCTYPE: (0, 0, 0, 0, 0, 2),
    RegisterType.LABEL: (0, 2048, 2048, 0, 16, 2048),
    RegisterType.PREDICATE: (0, 1, 1, 0, 1, 1),
}
# Those of some versions, if they differ: (is pixel, major, minor).
FIRST_PIXEL: dict[int, int] = {RegisterType.TEMP: 2, RegisterType.ADDR: 4}
COUNTS_OF_VERSION: dict[tuple[bool, int, int], dict[int, int]] = {
    (False, 2, 0): {RegisterType.TEMP: 12, RegisterType.PREDICATE: 0},
    (True, 2, 0): {
        RegisterType.TEMP: 12, RegisterType.CONSTINT: 0, RegisterType.CONSTBOOL: 0,
        RegisterType.LABEL: 0, RegisterType.PREDICATE: 0,
    },
    **{(True, 1, minor): FIRST_PIXEL for minor in range(4)},
}  # fmt: skip
SOFTWARE = 0xFF  # the minor version of programs that no hardware runs
COUNTS_OF_SOFTWARE: dict[int, int] = {
    RegisterType.TEMP: 256, RegisterType.CONST: 8192, RegisterType.CONSTINT: 2048,
    RegisterType.CONSTBOOL: 2048,
}  # fmt: skip
CLOSES = {"endif": ("if", "ifc"), "endloop": ("loop",), "endrep": ("rep",)}
OPENS = frozenset({"if", "ifc", "loop", "rep"})
BREAKS = frozenset({"break", "breakc", "breakp"})
DECLARED = frozenset({"dcl", "def", "defi", "defb", "nop"})


def verify(code: Code) -> list[Diagnostic]:
    """Return the violations of `RULES`; offsets are in bytes from the version."""
    findings = Findings(RULES)
    offsets = code.offsets()
    state = _CheckedPlace(code.version)
    for number, each in enumerate(code.instructions):
        path = f"instructions[{number}]"
        for rule, message, inner in state.problems(each):
            place = f"{path}.{inner}" if inner else path
            findings.add(rule, message, offset=offsets[number], path=place)
    if state.open:
        findings.add("d3d9.nesting", f"`{state.open[-1]}` is not closed", path="instructions")
    return findings.diagnostics()


class _CheckedPlace:
    """The declarations and open blocks before an instruction."""

    def __init__(self, version: Version) -> None:
        self.version = version
        self.column = version.major - 1 + 3 * version.is_pixel
        place = version.is_pixel, version.major, version.minor
        software = COUNTS_OF_SOFTWARE if version.minor == SOFTWARE else {}
        self.special = COUNTS_OF_VERSION.get(place, software)
        self.open: list[str] = []
        self.declared: set[tuple[int, int]] = set()
        self.started = False

    def problems(self, one: Instruction) -> list[tuple[str, str, str]]:
        """Return the problems of the next instruction: rule, message, path in it."""
        op = one.op
        if op is None:
            return [("d3d9.opcode", f"unknown opcode 0x{one.words[0] & 0xFFFF:x}", "opcode")]
        found: list[tuple[str, str, str]] = []
        spans = VERSIONS[op.name][self.version.is_pixel]
        if spans is None or not spans[0] <= (self.version.major, self.version.minor) <= spans[1]:
            found.append(("d3d9.version", f"{self.version.profile} has no `{one.name}`", "opcode"))
        length = len(one.words) - 1 if self.version.major >= 2 else 0
        if one.token.length != length:
            found.append(("d3d9.length", f"expected {length}, got {one.token.length}", "length"))
        found += self._operands(one)
        found += self._order(one)
        return found

    def _operands(self, one: Instruction) -> list[tuple[str, str, str]]:
        found = []
        op = one.op
        assert op is not None
        if one.miscount:
            found.append(("d3d9.operands", one.miscount, ""))
        for number, each in enumerate(one.all_operands()):
            path = f"operands[{number}]"
            if isinstance(each, LiteralOperand):
                if each.letter == "x":
                    found.append(("d3d9.operands", f"expected a register, got {each}", path))
                continue
            file, register = each.register.place
            count = self.special.get(file, COUNTS.get(file, (0,) * 6)[self.column])
            if register >= count:
                message = f"{self.version.profile} has no {each.register}"
                found.append(("d3d9.register", message, f"{path}.number"))
            elif self._undeclared(each, file, register, one):
                found.append(("d3d9.declared", f"{each.register} is not declared", path))
            if each.token.relative and each.index is None and self.version.major >= 2:
                message = "expected a token with the register that is added, got none"
                found.append(("d3d9.operands", message, path))
            if each.is_destination and not each.components and op.name != "dcl":
                found.append(("d3d9.mask", "", f"{path}.mask"))
        return found

    def _undeclared(self, operand: Operand, file: int, number: int, one: Instruction) -> bool:
        """Return True for an input or sampler that is read without a declaration."""
        if operand.is_destination and one.results:
            return False
        pixel = self.version.is_pixel
        inputs = {RegisterType.INPUT, RegisterType.SAMPLER, RegisterType.MISCTYPE}
        inputs |= {RegisterType.ADDR} if pixel else set()
        needs = file in inputs and self.version.major >= 2
        return needs and not operand.token.relative and (file, number) not in self.declared

    def _order(self, one: Instruction) -> list[tuple[str, str, str]]:
        found = []
        op = one.op
        assert op is not None
        name = op.name
        if name in DECLARED:
            if self.started and name != "nop":
                found.append(
                    ("d3d9.declaration", f"`{one.mnemonic}` stands after an instruction", "")
                )
            declaration, register = one.declaration, one.destination
            if declaration is not None and register is not None:
                place = register.register.place
                self.declared.add(place)
                kind = member_of(TextureKind, declaration.texture)
                if place[0] == RegisterType.SAMPLER and kind in (None, TextureKind.UNKNOWN):
                    message = f"unknown kind of texture {declaration.texture}"
                    found.append(("d3d9.texture", message, "declaration.texture"))
            return found
        self.started = True
        if name in OPENS:
            self.open.append(name)
        elif name in CLOSES:
            if not self.open or self.open.pop() not in CLOSES[name]:
                found.append(("d3d9.nesting", f"`{name}` closes no block", ""))
        elif name == "else" and (not self.open or self.open[-1] not in CLOSES["endif"]):
            found.append(("d3d9.nesting", "`else` stands in no `if`", ""))
        elif name in BREAKS and not any(each in ("loop", "rep") for each in self.open):
            found.append(("d3d9.nesting", f"`{one.mnemonic}` stands in no loop", ""))
        return found
