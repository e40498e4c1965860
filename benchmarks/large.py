"""Large programs of each family: the body of an example, repeated with fresh ids and names.

text = LISTINGS["dxbc"](60_000)
"""

import re
from collections.abc import Callable

from disassemble_spirv import repeated
from peers import ROOT

import unshade
from unshade.programs.spirv.module import Module

__all__ = ["LISTINGS"]

EXAMPLES = ROOT / "examples"
TEMPS = 4096  # registers, the most that a program has
Rename = Callable[[str, int], str]


def _unchanged(body: str, copy: int) -> str:
    return body


def _repeated(text: str, begin: str, end: str, least: int, rename: Rename = _unchanged) -> str:
    """Repeat the lines between the last `begin` and the `end` after it; `least` in all."""
    lines = text.splitlines(keepends=True)
    start = max(n for n, line in enumerate(lines) if re.match(begin, line)) + 1
    stop = next(n for n in range(start, len(lines)) if re.match(end, lines[n]))
    body = "".join(lines[start:stop])
    copies = [rename(body, n) for n in range(least // (stop - start) + 1)]
    return "".join([*lines[:start], *copies, *lines[stop:]])


def dxbc(instructions: int) -> str:
    def rename(body: str, copy: int) -> str:
        body = re.sub(r"\br(\d+)", lambda temp: f"r{(int(temp[1]) + copy * 7) % TEMPS}", body)
        return re.sub(r"l\((\d+)\.", lambda literal: f"l({int(literal[1]) + copy}.", body)

    text = unshade.open(EXAMPLES / "phong.dxbc").disassemble("exact")
    text = re.sub(r"dcl_temps \d+", f"dcl_temps {TEMPS}", text)
    return _repeated(text, r"dcl_", r"ret\b", instructions, rename)


def dxil(instructions: int) -> str:
    def rename(body: str, copy: int) -> str:
        values = len(re.findall(r"^  %\d+ = ", body, re.MULTILINE))
        return re.sub(r"%(\d+)\b", lambda id_: f"%{int(id_[1]) + copy * values}", body)

    text = unshade.open(EXAMPLES / "saxpy6.dxil").disassemble("exact")
    return _repeated(text, r"define ", r"  ret void", instructions, rename)


def shbin(instructions: int) -> str:
    text = unshade.open(EXAMPLES / "lit.shbin").disassemble("exact")  # has no most of 512 words
    return _repeated(text, r"\.proc main", r"\tend\b", instructions)


def sksl(statements: int) -> str:
    def rename(body: str, copy: int) -> str:
        return re.sub(r"\b(random|noise)\(", rf"\1_{copy}(", body) if copy else body

    text = "// sksl runtime_shader\n" + (EXAMPLES / "noise.rts").read_text(encoding="utf-8")
    most = 40_000  # names have at most 65,533 bytes
    return _repeated(text, r"uniform float2", r"half4 main", min(statements, most), rename)


def spirv(instructions: int) -> str:
    module = repeated(Module.loads((EXAMPLES / "particles.spv").read_bytes()), instructions)
    return unshade.loads(module.to_bytes()).disassemble()


def vbc(instructions: int) -> str:
    def rename(body: str, copy: int) -> str:
        for id_ in re.findall(r"^ *%(\w+) = ", body, re.MULTILINE):
            body = re.sub(rf"%{id_}\b", f"%{id_}_{copy}", body)
        return body

    text = unshade.open(EXAMPLES / "everything.vbc").disassemble("exact")
    most = 12_000  # a stage has at most 65,535 words
    return _repeated(text, r"%5 = OpLabel", r"OpReturn\b", min(instructions, most), rename)


LISTINGS: dict[str, Callable[[int], str]] = {
    "dxbc": dxbc, "dxil": dxil, "shbin": shbin, "sksl": sksl, "spirv": spirv, "vbc": vbc,
}  # fmt: skip
