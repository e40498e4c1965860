"""Shaders with one token changed, and shaders that are written otherwise and mean the same.

A mutant is a shader whose exact text has another token on one line of code: another operation,
number, component, sign or order of operands. A rewritten shader has its registers or ids numbered
anew, operands of commutative operations exchanged, and neighbours that do not depend on each other
in the other order. Both are made from text alone, and are drawn by a seed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import unshade
from unshade.rule import is_finding
from unshade.run.kernels import Kernel

# Words that stand for each other, in a circle; no word is in two circles of a language.
TPF = (
    "add mul", "min max", "lt ge", "eq ne", "ieq ine", "ilt ige", "ult uge", "imin imax",
    "umin umax", "and or xor", "ishl ushr ishr", "round_ni round_pi round_z round_ne", "exp log",
    "sqrt rsq", "ftoi ftou", "itof utof", "deriv_rtx deriv_rty", "if_nz if_z",
    "breakc_nz breakc_z", "discard_nz discard_z", "dp3 dp2", "iadd imad_", "countbits bfrev",
    "firstbit_lo firstbit_hi",
)  # fmt: skip
SPIRV = (
    "OpFAdd OpFSub OpFMul OpFDiv OpFRem OpFMod", "OpIAdd OpISub OpIMul",
    "OpShiftLeftLogical OpShiftRightLogical OpShiftRightArithmetic",
    "OpBitwiseAnd OpBitwiseOr OpBitwiseXor", "OpFOrdLessThan OpFOrdGreaterThanEqual",
    "OpFOrdGreaterThan OpFOrdLessThanEqual", "OpSLessThan OpSGreaterThanEqual",
    "OpSGreaterThan OpSLessThanEqual", "OpULessThan OpUGreaterThanEqual",
    "OpIEqual OpINotEqual", "OpFOrdEqual OpFOrdNotEqual OpFUnordNotEqual",
    "OpLogicalAnd OpLogicalOr", "OpDPdx OpDPdy", "OpUDiv OpUMod", "OpSDiv OpSRem OpSMod",
    "FMin FMax", "SMin SMax", "UMin UMax", "Floor Ceil Trunc RoundEven", "Sin Cos Tan",
    "Exp2 Log2", "Exp Log", "Sqrt InverseSqrt", "FAbs FSign", "OpConstantTrue OpConstantFalse",
    "OpFNegate FNegate_", "Fract Radians Degrees", "Step Pow Atan2",
)  # fmt: skip
DXIL = (
    "fadd fsub fmul fdiv", "add sub mul", "shl lshr ashr", "and or xor", "olt oge", "ogt ole",
    "slt sge", "sgt sle", "ult uge", "ugt ule", "eq ne", "oeq une", "sitofp uitofp",
    "fptosi fptoui",
)  # fmt: skip
PICA = (
    "add mul", "max min", "dp3 dp4", "slt sge", "ex2 lg2", "rcp rsq", "flr mov", "ifu ifu_",
)  # fmt: skip
SKSL = (
    "min max", "floor ceil fract", "sin cos", "sqrt inversesqrt", "exp2 log2", "abs sign",
    "dot distance", "true false", "saturate normalize",
)  # fmt: skip
SKSL_SIGNS = ("+ - *", "< >=", "> <=", "== !=", "&& ||", "+= -= *=", "/ *_")
DXIL_CALLS = ((6, 7), (12, 13), (22, 24), (21, 23), (35, 36), (37, 38), (39, 40), (26, 27, 28, 29))
COMMUTATIVE = {
    "tpf": {"add", "mul", "iadd", "and", "or", "xor", "ieq", "ine", "eq", "ne"},
    "spirv": {
        "OpFAdd", "OpFMul", "OpIAdd", "OpIMul", "OpBitwiseAnd", "OpBitwiseOr", "OpBitwiseXor",
        "OpFOrdEqual", "OpIEqual", "OpINotEqual", "OpLogicalAnd", "OpLogicalOr",
    },
    "dxil": {"fadd", "fmul", "add", "mul", "and", "or", "xor"},
    "pica": {"add", "mul", "dp3", "dp4"},
}  # fmt: skip
COMPONENT = re.compile(r"(?<=[\w\])]\.)([xyzw]{1,4})\b")
NUMBER = re.compile(r"(?<![\w.%@!#-])-?\d+(?:\.\d+(?:e[+-]?\d+)?)?(?![\w.:])")
Edit = Callable[[str, random.Random], list[str]]


class Family(NamedTuple):
    """A language of code: which lines are code, and how its words are told."""

    name: str
    code: Callable[[str], bool]
    words: dict[str, list[str]]
    word: re.Pattern[str]
    registers: bool = False  # operands are registers with components and signs


def _others(*circles: str) -> dict[str, list[str]]:
    return {
        word: [each for each in circle.split() if each != word and not each.endswith("_")]
        for circle in circles
        for word in circle.split()
    }


def _of_tpf(line: str) -> bool:
    return bool(re.match(r"\s*[a-z]", line)) and not re.match(
        r"\s*(dcl_|[a-z]s_\d|ret|end|hs_|loop|else|label|call|nop|emit|cut)", line
    )


def _of_spirv(line: str) -> bool:
    return bool(
        re.match(r"\s*%\w+ = Op(Constant|F|I|S|U|Bit|Shift|Logical|Ext|Dot|Vec|Mat|Comp|DP)", line)
        and "OpExtInstImport" not in line
        and "OpFunction" not in line
        and "OpImage" not in line
    )


def _of_dxil(line: str) -> bool:
    return line.startswith("  %") and not re.search(
        r"createHandle|annotateHandle|= alloca|= getelementptr|loadInput|ResBind|extractvalue|Load",
        line,
    )


def _of_pica(line: str) -> bool:
    return line.startswith("\t") and not re.match(r"\s*(\.|end|call|for|if|jmp|nop|else)", line)


def _of_sksl(line: str) -> bool:
    return line.startswith("    ") and "//" not in line


WORD = re.compile(r"[A-Za-z_][\w]*")
FAMILIES = {
    "tpf": Family("tpf", _of_tpf, _others(*TPF), re.compile(r"(?<![\w.])[a-z]\w*"), True),
    "spirv": Family("spirv", _of_spirv, _others(*SPIRV), WORD),
    "dxil": Family("dxil", _of_dxil, _others(*DXIL), re.compile(r"(?<=[ ])[a-z]+(?=[ ])")),
    "pica": Family("pica", _of_pica, _others(*PICA), re.compile(r"(?<=\t)[a-z]\w*"), True),
    "sksl": Family(
        "sksl", _of_sksl, _others(*SKSL, *SKSL_SIGNS),
        re.compile(
            r"(?<![\w.])[a-z]\w*(?=\()|true|false|(?<= )(?:[<>=!+*/-]=|&&|\|\||[-+*/<>])(?= )"
        ),
        True,
    ),
}  # fmt: skip


# ---------------------------------------------------------------- mutants


def _words(line: str, family: Family) -> Iterator[str]:
    for found in family.word.finditer(line):
        for other in family.words.get(found[0], ()):
            yield line[: found.start()] + other + line[found.end() :]
    if family.name != "dxil":
        return
    for found in re.finditer(r"(?<=\(i32 )\d+", line):
        number = int(found[0])
        for circle in DXIL_CALLS:
            for operation in circle if number in circle else ():
                if operation != number:
                    yield line[: found.start()] + str(operation) + line[found.end() :]


def _numbers(line: str, family: Family) -> Iterator[str]:
    start = 0
    if family.name == "spirv":
        if not re.match(r"\s*%\w+ = OpConstant ", line):
            return
        start = len(line.rstrip()) - len(line.rsplit(maxsplit=1)[-1])
    if family.name == "tpf":
        start = line.find("l(")
        if start < 0:
            return
    if family.name == "dxil" and "call" in line:
        start = line.index("(") + line[line.index("(") :].find(",")
    for found in NUMBER.finditer(line, start):
        for other in _other_numbers(found[0]):
            yield line[: found.start()] + other + line[found.end() :]


def _other_numbers(text: str) -> list[str]:
    if "." not in text:
        return [str(int(text) + 1), str(int(text) - 1)]
    number = float(text)
    if not number:
        return ["1.0", "-1.0"]
    if "e" in text:  # what LLVM prints: the double of a float32
        return [f"{number * factor:e}" for factor in (2.0, -1.0)]
    return [repr(number * factor) for factor in (1.001, -1.0, 2.0, 0.5)]


def _components(line: str, family: Family) -> Iterator[str]:
    if not family.registers:
        return
    for found in COMPONENT.finditer(line):
        for at, letter in enumerate(found[0]):
            for other in "xyzw":
                if other not in found[0] or (family.name != "sksl" and other != letter):
                    text = found[0][:at] + other + found[0][at + 1 :]
                    yield line[: found.start()] + text + line[found.end() :]


def _signs(line: str, family: Family) -> Iterator[str]:
    if family.name in ("tpf", "pica"):
        for found in re.finditer(r"(?<=, )(-?)(r\d|v\d|cb\d|c\d)", line):
            sign = "" if found[1] else "-"
            yield line[: found.start()] + sign + found[2] + line[found.end() :]


def _orders(line: str, family: Family) -> Iterator[str]:
    """Exchange the last two operands."""
    found = {
        "tpf": r"(.*, )([^(),]+)(, )([^(),]+)()$",
        "pica": r"(.*, )([^(),]+)(, )([^(),]+)()$",
        "spirv": r"(.* )(%\w+)( )(%\w+)()$",
        "dxil": r"(.* )(%\w+)(, )(%\w+)(.*)$",
        "sksl": r"(.*[(=] ?)([\w.]+)(, | - | / )([\w.]+)([);].*)$",
    }[family.name]
    match = re.match(found, line.rstrip())
    if match and match[2] != match[4]:
        yield match[1] + match[4] + match[3] + match[2] + match[5]


def _other_orders(line: str, family: Family) -> Iterator[str]:
    if not COMMUTATIVE.get(family.name, set()) & set(line.split()):
        yield from _orders(line, family)


EDITS = (_words, _numbers, _components, _signs, _other_orders)


@dataclass(slots=True)
class Rewritten:
    """A shader, its text, and the program and entry point that are run and changed."""

    shader: unshade.Shader
    text: str
    family: Family
    program: int
    entry: str

    @classmethod
    def of(cls, shader: unshade.Shader, chance: random.Random) -> Rewritten:
        """Return the text of a shader, and one of its entry points."""
        number = chance.randrange(len(shader.programs))
        program = shader.programs[number]
        entry = chance.choice(program.entry_points)[0]
        text = shader.disassemble(dialect="exact")
        return cls(shader, text, FAMILIES[program.language], number, entry)

    @property
    def code(self) -> list[int]:
        """The lines of code, from 0: those of the program or procedure that is run."""
        lines = self.text.splitlines()
        inside, number = True, -1
        found = []
        for at, line in enumerate(lines):
            if line.startswith("; stage "):
                number += 1
                inside = number == self.program
            if line.startswith(".proc "):
                inside = line.split()[1] == self.entry
            if inside and self.family.code(line):
                found.append(at)
        return found

    def kernel(self, shader: unshade.Shader) -> Kernel:
        """Return a kernel of the same entry point of a shader, in lockstep."""
        return unshade.kernel(shader, self.program, self.entry, engine="lockstep")

    def assembled(self, text: str) -> unshade.Shader:
        """Assemble a changed text."""
        donor = self.shader if self.shader.format == "dxcontainer" else None
        return unshade.assemble(text, self.shader.format, donor=donor)

    def mutants(self, chance: random.Random) -> Iterator[tuple[str, unshade.Shader]]:
        """Yield mutants that are valid, each with what was changed."""
        lines = self.text.splitlines()
        code = self.code
        mine = _findings(self.shader)
        while code:
            at = chance.choice(code)
            made = [list(edit(lines[at], self.family)) for edit in EDITS]
            choices = [each for each in made if each]
            if not choices:
                code.remove(at)
                continue
            line = chance.choice(chance.choice(choices))
            text = "\n".join([*lines[:at], line, *lines[at + 1 :]]) + "\n"
            try:
                shader = self.assembled(text)
                if _findings(shader) - mine or shader.to_bytes() == self.shader.to_bytes():
                    continue
            except unshade.UnshadeError:
                continue
            yield f"{lines[at].strip()}  ->  {line.strip()}", shader

    def equals(self, chance: random.Random) -> Iterator[unshade.Shader]:
        """Yield shaders that compute the same."""
        while True:
            lines = self.text.splitlines()
            for edit in (_exchange, _reorder, _renumber):
                if chance.random() < 0.8:
                    lines = edit(lines, self.family, chance)
            text = "\n".join(lines) + "\n"
            try:
                yield self.assembled(text)
            except unshade.UnshadeError:
                continue


def _findings(shader: unshade.Shader) -> set[str]:
    return {each.code for each in shader.verify() if is_finding(each)}


# ---------------------------------------------------------------- the same, written otherwise


def _exchange(lines: list[str], family: Family, chance: random.Random) -> list[str]:
    """Exchange operands of commutative operations."""
    words = COMMUTATIVE.get(family.name, set())
    made = []
    for line in lines:
        if family.code(line) and words & set(line.split()) and chance.random() < 0.5:
            made.append(next(_orders(line, family), line))
        else:
            made.append(line)
    return made


def _reorder(lines: list[str], family: Family, chance: random.Random) -> list[str]:
    """Exchange neighbours without a dependency."""
    made = list(lines)
    if family.name not in ("spirv", "tpf", "pica"):
        return made
    for at in range(len(made) - 1):
        one, two = made[at], made[at + 1]
        if _pure(one, family) and _pure(two, family) and chance.random() < 0.5:
            if family.name == "spirv":
                alone = one.split()[0] not in two.split()[1:]
            else:
                alone = _written(one) not in _registers(two) and _written(two) not in _registers(
                    one
                )
            if alone:
                made[at : at + 2] = [two, one]
    return made


def _pure(line: str, family: Family) -> bool:
    if family.name == "spirv":
        return bool(
            re.match(r"%\w+ = Op(F[A-Z]|I[A-Z]|S[A-Z]|U[A-Z]|Dot|VectorTimes|ExtInst )", line)
        )
    return bool(
        re.match(r"\s*(add|mul|mad|min|max|mov|dp\d|iadd|and|or|rsq|rcp)(_sat)? r\d+", line)
    )


def _registers(line: str) -> set[str]:
    return set(re.findall(r"\br\d+\b", line))


def _written(line: str) -> str:
    return str(re.findall(r"\br\d+\b", line)[0])


def _renumber(lines: list[str], family: Family, chance: random.Random) -> list[str]:
    """Number registers, ids or local names anew."""
    if family.name == "sksl":
        return _renamed(lines, chance)
    pattern = {"spirv": r"(?<!\w)%\d+\b", "tpf": r"\br\d+\b", "pica": r"\br\d+\b"}
    if family.name not in pattern:
        return lines
    names = sorted({each for line in lines for each in re.findall(pattern[family.name], line)})
    if any("dcl_indexableTemp" in each or "call" in each for each in lines):
        return lines
    others = names[:]
    chance.shuffle(others)
    to = dict(zip(names, others, strict=True))
    return [
        re.sub(pattern[family.name], lambda found: to[found[0]], line)
        if not line.startswith(("//", ";")) else line
        for line in lines
    ]  # fmt: skip


def _renamed(lines: list[str], chance: random.Random) -> list[str]:
    names = {
        found
        for line in lines
        if line.startswith("    ")
        for found in re.findall(r"^ +(?:const )?(?:float|half|int)[\dx]* (\w+) = ", line)
    }
    if not names:
        return lines
    pattern = re.compile(rf"(?<![\w.])({'|'.join(sorted(names))})\b")
    mark = chance.choice("abcdefgh")
    return [pattern.sub(rf"\1_{mark}", line) for line in lines]
