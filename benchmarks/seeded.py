"""Pixel and vertex programs made by seed, and what vkd3d-compiler makes of them.

    pixel(7)      a listing with signature tables, ps_5_0
    translated    its SPIR-V, and which binding each register has there

A program has two kinds of registers. In r0 to r3 stand numbers that every machine calculates alike:
dyadic inputs, sums and products that may not be contracted, whole numbers. Only they decide:
comparisons, rounding, branches, integers. In r4 to r7 stand numbers that may differ a little:
roots, sines, filtered textures; nothing makes a large difference of a small one there.
"""

import random
import re
import struct
import subprocess
import tempfile
from pathlib import Path

import unshade

EXACT, LOOSE = range(4), range(4, 8)
LETTERS = "xyzw"
WHOLE = (
    "iadd", "and", "or", "xor", "imin", "imax", "umin", "umax", "ishl", "ishr", "ushr", "imad",
)  # fmt: skip
VARYINGS = [("TEXCOORD", 0, "xyzw", 0, "NONE"), ("TEXCOORD", 1, "xyzw", 1, "NONE")]
TARGETS = [("SV_Target", 0, "xyzw", 0, "TARGET"), ("SV_Target", 1, "xyzw", 1, "TARGET")]
POSITION = [("SV_Position", 0, "xyzw", 0, "POS")]
Row = tuple[str, int, str, int, str]
FORMAT = "// {:<20} {:>5} {:>6} {:>8} {:>8} {:>7} {:>6}"
HEAD = [
    FORMAT.format("Name", "Index", "Mask", "Register", "SysValue", "Format", "Used"),
    FORMAT.format("-" * 20, "-" * 5, "-" * 6, "-" * 8, "-" * 8, "-" * 7, "-" * 6),
]


def signature(title: str, rows: list[Row]) -> list[str]:
    """A signature table: name, index, mask, register, system value."""
    found = [f"// {title} signature:", "//", *HEAD]
    for name, index, mask, register, meaning in rows:
        found.append(FORMAT.format(name, index, mask, register, meaning, "float", mask))
    return [*found, "//"]


class Maker:
    """The statements of one program."""

    def __init__(self, seed: int, sources: list[str], textures: bool) -> None:
        self.random = random.Random(seed)
        self.sources = sources
        self.textures = textures
        self.lines: list[str] = []
        self.depth = 0

    # ------------------------------------------------------------ operands

    def mask(self) -> str:
        return "".join(x for x in LETTERS if self.random.random() < 0.6) or "x"

    def swizzle(self) -> str:
        return "".join(self.random.choice(LETTERS) for _ in LETTERS)

    def literal(self) -> str:
        return ", ".join(f"{self.random.randrange(-64, 65) / 16:f}" for _ in LETTERS)

    def exact(self, signs: bool = True) -> str:
        chosen = self.random.random()
        if chosen < 0.25:
            return f"l({self.literal()})"
        register = (
            self.random.choice(self.sources) if chosen < 0.5 else f"r{self.random.choice(EXACT)}"
        )
        return self._signed(f"{register}.{self.swizzle()}", signs)

    def loose(self, signs: bool = True) -> str:
        if self.random.random() < 0.4:
            return self.exact(signs)
        return self._signed(f"r{self.random.choice(LOOSE)}.{self.swizzle()}", signs)

    def _signed(self, operand: str, signs: bool) -> str:
        chosen = self.random.random() if signs else 1.0
        return f"-{operand}" if chosen < 0.2 else f"|{operand}|" if chosen < 0.3 else operand

    def target(self, of: range) -> tuple[str, str]:
        register, mask = f"r{self.random.choice(of)}", self.mask()
        return register, f"{register}.{mask}"

    def add(self, line: str) -> None:
        self.lines.append(line)

    # ------------------------------------------------------------ statements

    def statement(self) -> None:
        kinds = [self._sum, self._round, self._compare, self._integer, self._rough, self._rough]
        kinds += [self._combine, self._combine]
        if self.depth < 2:
            kinds += [self._branch, self._loop, self._switch]
        if self.textures:
            kinds += [self._sample, self._sample] if not self.depth else [self._sample]
        self.random.choice(kinds)()

    def _bounded(self, register: str, mask: str) -> None:
        self.add(f"max {register}.{mask}, {register}.xyzw, l(-8.0, -8.0, -8.0, -8.0)")
        self.add(f"min {register}.{mask}, {register}.xyzw, l(8.0, 8.0, 8.0, 8.0)")

    def _sum(self) -> None:
        register, target = self.target(EXACT)
        name = self.random.choice(("add", "mul", "min", "max", "add_sat", "mul_sat", "mov"))
        rest = self.exact() if name == "mov" else f"{self.exact()}, {self.exact()}"
        note = " [precise]" if name[:3] in ("add", "mul") else ""
        self.add(f"{name}{note} {target}, {rest}")
        self._bounded(register, target.partition(".")[2])

    def _round(self) -> None:
        name = self.random.choice(("round_ne", "round_ni", "round_pi", "round_z", "frc"))
        self.add(f"{name} {self.target(EXACT)[1]}, {self.exact()}")

    def _compare(self) -> None:
        name = self.random.choice(("lt", "ge", "eq", "ne"))
        self.add(f"{name} r8.xyzw, {self.exact()}, {self.exact()}")
        if self.random.random() < 0.5:
            both = f"{self.exact()}, {self.exact()}"
            self.add(f"movc {self.target(EXACT)[1]}, r8.{self.swizzle()}, {both}")
        else:
            both = f"{self.loose()}, {self.loose()}"
            self.add(f"movc {self.target(LOOSE)[1]}, r8.{self.swizzle()}, {both}")

    def _integer(self) -> None:
        self.add(f"ftoi r9.xyzw, {self.exact()}")
        self.add(f"ftoi r10.xyzw, {self.exact()}")
        for _ in range(self.random.randrange(1, 4)):
            name = self.random.choice(WHOLE)
            rest = ", r9.xyzw" if name == "imad" else ""
            self.add(f"{name} r9.{self.mask()}, r9.{self.swizzle()}, r10.{self.swizzle()}{rest}")
        self.add("and r9.xyzw, r9.xyzw, l(15, 31, 7, 3)")
        name = self.random.choice(("itof", "utof"))
        self.add(f"{name} {self.target(EXACT)[1]}, r9.{self.swizzle()}")

    def _rough(self) -> None:
        register, target = self.target(LOOSE)
        mask = target.partition(".")[2]
        name = self.random.choice(("sqrt", "rsq", "exp", "log", "sincos", "div", "rcp"))
        self.add(f"mov r11.xyzw, {self.loose()}")
        self.add("add r11.xyzw, |r11.xyzw|, l(0.5, 0.75, 1.5, 2.0)")
        self._bounded("r11", "xyzw")
        if name == "sincos":
            both = (target, "null") if self.random.random() < 0.5 else ("null", target)
            self.add(f"sincos {both[0]}, {both[1]}, r11.{self.swizzle()}")
        elif name == "div":
            self.add(f"div {target}, {self.loose()}, r11.{self.swizzle()}")
        else:
            self.add(f"{name} {target}, r11.{self.swizzle()}")
        self._bounded(register, mask)

    def _combine(self) -> None:
        register, target = self.target(LOOSE)
        name = self.random.choice(("mad", "dp2", "dp3", "dp4", "add", "mul", "min", "max", "mov"))
        count = {"mad": 3, "mov": 1}.get(name, 2)
        suffix = "_sat" if self.random.random() < 0.2 else ""
        self.add(f"{name}{suffix} {target}, {', '.join(self.loose() for _ in range(count))}")
        self._bounded(register, target.partition(".")[2])

    def _sample(self) -> None:
        target = self.target(LOOSE)[1]
        self.add(f"mul r11.xyzw, {self.loose()}, l(0.25, 0.25, 0.25, 0.25)")
        if self.depth or self.random.random() < 0.5:
            self.add(f"sample_l {target}, r11.{self.swizzle()}, t0.{self.swizzle()}, s0, l(0.0)")
        else:
            self.add(f"sample {target}, r11.{self.swizzle()}, t0.{self.swizzle()}, s0")

    def _block(self) -> None:
        self.depth += 1
        for _ in range(self.random.randrange(1, 4)):
            self.statement()
        self.depth -= 1

    def _branch(self) -> None:
        self.add(f"lt r8.x, {self.exact()}, {self.exact()}")
        self.add("if_nz r8.x")
        self._block()
        if self.random.random() < 0.6:
            self.add("else")
            self._block()
        self.add("endif")

    def _loop(self) -> None:
        counter = f"r{12 + self.depth}"
        self.add(f"ftou {counter}.y, |{self.random.choice(self.sources)}.{self.swizzle()}|")
        self.add(f"and {counter}.xy, {counter}.xyxx, l(0, 3, 0, 0)")
        self.add("loop")
        self.add(f"uge r8.y, {counter}.x, {counter}.y")
        self.add("breakc_nz r8.y")
        self.add(f"iadd {counter}.x, {counter}.x, l(1)")
        self._block()
        self.add("endloop")

    def _switch(self) -> None:
        self.add(f"ftoi r8.z, {self.exact(signs=False)}")
        self.add("and r8.z, r8.z, l(3)")
        self.add("switch r8.z")
        for label in ("case l(0)", "case l(2)", "default"):
            self.add(label)
            self._block()
            self.add("break")
        self.add("endswitch")

    # ------------------------------------------------------------ whole

    def body(self) -> list[str]:
        for register in (*EXACT, *LOOSE):
            self.add(f"mov r{register}.xyzw, {self.random.choice(self.sources)}.{self.swizzle()}")
        for _ in range(self.random.randrange(6, 18)):
            self.statement()
        for first, more in ((0, (1, 2, 3)), (4, (5, 6, 7))):  # so that no register goes unseen
            for other in more:
                self.add(f"add [precise] r{first}.xyzw, r{first}.xyzw, r{other}.xyzw")
        return self.lines


def pixel(seed: int) -> str:
    """A pixel program: inputs v0.xyzw and v1.xy, a texture, two targets."""
    maker = Maker(seed, ["v0", "v0", "v1", "cb0[1]"], textures=True)
    body = maker.body()
    axis = "x" if seed % 2 else "y"
    body = [f"deriv_rt{axis}_fine r0.x, v0.y", *body]
    if seed % 3 == 0:
        body += ["lt r8.x, v0.z, l(-1.25)", "discard_nz r8.x"]
    lines = [
        *signature("Input", VARYINGS), *signature("Output", TARGETS),
        "ps_5_0", "dcl_globalFlags refactoringAllowed",
        "dcl_constantbuffer CB0[2], immediateIndexed", "dcl_sampler s0, mode_default",
        "dcl_resource_texture2d (float,float,float,float) t0", "dcl_input_ps linear v0.xyzw",
        "dcl_input_ps linear v1.xyzw", "dcl_output o0.xyzw", "dcl_output o1.xyzw", "dcl_temps 16",
        *body, "mov o0.xyzw, r0.xyzw", "mov o1.xyzw, r4.xyzw", "ret", "",
    ]  # fmt: skip
    return "\n".join(lines)


def vertex(seed: int) -> str:
    """A vertex program: inputs v0.xyzw and v1.xyzw, a position and two more outputs."""
    maker = Maker(seed, ["v0", "v1", "cb0[1]"], textures=False)
    body = maker.body()
    lines = [
        *signature("Input", VARYINGS),
        *signature("Output", POSITION + [(*row[:3], row[3] + 1, row[4]) for row in VARYINGS]),
        "vs_5_0", "dcl_globalFlags refactoringAllowed",
        "dcl_constantbuffer CB0[2], immediateIndexed", "dcl_input v0.xyzw", "dcl_input v1.xyzw",
        "dcl_output_siv o0.xyzw, position", "dcl_output o1.xyzw", "dcl_output o2.xyzw",
        "dcl_temps 16", *body, "mov o0.xyzw, r1.xyzw", "mov o1.xyzw, r0.xyzw",
        "mov o2.xyzw, r4.xyzw", "ret", "",
    ]  # fmt: skip
    return "\n".join(lines)


# ---------------------------------------------------------------- translation


def translated(text: str) -> tuple[bytes, dict[str, int]]:
    """SPIR-V of a listing, and the binding of each register; by vkd3d-compiler."""
    data = unshade.assemble(text, "dxcontainer").to_bytes()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "a.dxbc"), Path(folder, "a.spv")
        source.write_bytes(data)
        command = ["vkd3d-compiler", "-x", "dxbc-tpf", "-b", "spirv-binary", "-o"]
        subprocess.run([*command, target, source], check=True, capture_output=True)
        module = target.read_bytes()
    return module, bindings_of(module)


def bindings_of(module: bytes) -> dict[str, int]:
    """Names of variables with the numbers of their bindings."""
    words = struct.unpack(f"<{len(module) // 4}I", module)
    names: dict[int, str] = {}
    found: dict[int, int] = {}
    at = 5
    while at < len(words):
        code, count = words[at] & 0xFFFF, words[at] >> 16
        if code == 5:
            raw = struct.pack(f"<{count - 2}I", *words[at + 2 : at + count])
            names[words[at + 1]] = raw.split(b"\0")[0].decode()
        elif code == 71 and words[at + 2] == 33:
            found[words[at + 1]] = words[at + 3]
        at += count
    return {re.sub(r"_\d+$", "", names.get(each, "")): number for each, number in found.items()}
