"""Disassembling one large SPIR-V module, against spirv-dis.

    python benchmarks/disassemble_spirv.py [FILE] [--instructions N]
    python benchmarks/disassemble_spirv.py --random

The functions of the module, by default saxpy of the tests, are repeated with new ids until it has
the stated number of instructions; with --random, each function is another one. Here in this
process, from bytes to text; spirv-dis as a process of its own, from a file to a file. Both texts
have to be equal. Times are processor time, medians of rounds in which both take turns.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from peers import ROOT, cpu_medians

import unshade
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.index import ModuleIndex
from unshade.programs.spirv.module import Instruction, Module

SAXPY = ROOT / "tests" / "programs" / "spirv" / "saxpy.spvasm"


def repeated(module: Module, instructions: int) -> Module:
    """Return a module whose functions are repeated; the copies are not entry points."""
    index = ModuleIndex(module)
    bodies = [
        (each, module.instructions[each.start : each.end], index.decoded[each.start : each.end])
        for each in index.functions.values()
    ]
    code = list(module.instructions)
    bound = module.bound
    while len(code) < instructions:
        fresh: dict[int, int] = {}
        for _, _, decoded in bodies:
            for known in decoded:
                if known.result is not None:
                    fresh[known.result] = bound
                    bound += 1
        for _, body, decoded in bodies:
            for each, known in zip(body, decoded, strict=True):
                words = list(each.words)
                for piece in known.operands:
                    if piece.is_id:
                        words[piece.at] = fresh.get(words[piece.at], words[piece.at])
                code.append(Instruction(words))
    return Module(
        code, version=module.version, generator=module.generator, bound=bound, order=module.order
    )


PREAMBLE = """OpCapability Shader
OpCapability Linkage
%ext = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%v4float = OpTypeVector %float 4
%ptr = OpTypePointer Function %v4float
%plain = OpTypeFunction %void
"""
BINARY = {
    "int": ("OpIAdd", "OpISub", "OpIMul", "OpBitwiseAnd", "OpShiftLeftLogical"),
    "float": ("OpFAdd", "OpFSub", "OpFMul", "OpFDiv"),
}
EXTENDED = ("Sqrt", "Exp", "Sin", "FAbs", "Floor")


def different(instructions: int, seed: int = 0) -> Module:
    """Return a module of functions of which no two are alike."""
    random_ = random.Random(seed)
    lines = [PREAMBLE]
    for kind, value in (("int", "{}"), ("float", "{}.5")):
        lines += [f"%{kind}_{n} = OpConstant %{kind} {value.format(n)}" for n in range(100)]
    count = 0

    def new(text: str) -> str:
        nonlocal count
        lines.append(f"%r{count} = {text}")
        count += 1
        return f"%r{count - 1}"

    while len(lines) < instructions:
        new("OpFunction %void None %plain")
        new("OpLabel")
        variable = new("OpVariable %ptr Function")
        known = {kind: [f"%{kind}_{random_.randrange(100)}" for _ in range(4)]
                 for kind in ("int", "float")}  # fmt: skip
        for _ in range(random_.randrange(20, 80)):
            pick = {kind: random_.choice(each[-8:]) for kind, each in known.items()}
            other = {kind: random_.choice(each[-8:]) for kind, each in known.items()}
            kind = random_.choice(("int", "float"))
            match random_.randrange(7):
                case 0:
                    made = new(f"OpLoad %v4float {variable}")
                    known["float"].append(new(f"OpCompositeExtract %float {made} 2"))
                case 1:
                    made = new("OpCompositeConstruct %v4float" + f" {pick['float']}" * 4)
                    lines.append(f"OpStore {variable} {made}")
                case 2:
                    name = random_.choice(EXTENDED)
                    known["float"].append(new(f"OpExtInst %float %ext {name} {pick['float']}"))
                case 3:
                    made = new(f"OpFOrdLessThan %bool {pick['float']} {other['float']}")
                    known[kind].append(new(f"OpSelect %{kind} {made} {pick[kind]} {other[kind]}"))
                case _:
                    name = random_.choice(BINARY[kind])
                    known[kind].append(new(f"{name} %{kind} {pick[kind]} {other[kind]}"))
        lines += ["OpReturn", "OpFunctionEnd"]
    return assemble(Source("\n".join(lines)))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--instructions", type=int, default=100_000)
    parser.add_argument("--random", action="store_true", help="functions that are all different")
    given = parser.parse_args()
    tool = shutil.which("spirv-dis")
    if tool is None:
        print("spirv-dis is not installed, so there is nothing to compare with", file=sys.stderr)
        return 2
    if given.random:
        large = different(given.instructions)
    elif given.file is None:
        large = repeated(assemble(Source(SAXPY.read_text(encoding="utf-8"))), given.instructions)
    else:
        large = repeated(Module.loads(given.file.read_bytes()), given.instructions)
    data = large.to_bytes()
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "large.spv", Path(folder) / "large.spvasm"
        path.write_bytes(data)
        command = [tool, str(path), "-o", str(out)]
        times = cpu_medians(
            {
                "unshade": lambda: unshade.loads(data).disassemble(),
                "spirv-dis": lambda: subprocess.run(command, check=True),
            }
        )
        same = out.read_text(encoding="utf-8") == unshade.loads(data).disassemble()
    print(f"{len(large.instructions)} instructions, {len(data)} bytes, the texts are"
          f" {'equal' if same else 'different'}")  # fmt: skip
    for name, seconds in times.items():
        print(f"    {name:12} {seconds:7.3f} s   {len(large.instructions) / seconds:9.0f}"
              f" instructions/s   {seconds / times['spirv-dis']:5.2f} x")  # fmt: skip
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
