"""The bound of each benchmark kernel: its inner loop by LLVM-MCA, its memory, the measured time.

    python benchmarks/ports.py [FOLDER] [--bits 512 256] [--models znver3 skylake-avx512]
                               [--kernels NAME ...] [--rounds N] [--mca COMMAND] [--page FILE]
                               [--peer COMMAND ...]

For each kernel and width of vector registers, of the loop with most vector arithmetic (the loop
over chunks, if the kernel has no other) as the jit compiles it:

    lanes      of a chunk                           instr.   instructions of an iteration
    work       cycles of an iteration by its busiest resource, of which the busiest is named
    chain      cycles of an iteration in LLVM-MCA's simulation, which adds what is waited for
    memory     bytes of the arrays, and the time in which this machine copies as many
    measured   cycles of an iteration: least time of some calls, times the clock, by the iterations
    ratio      measured time in times of the bound: the chain of all iterations, or the memory

With `--peer`, as `execute.py` takes it (`python3` is the Mesa of this system), also

    peer       time of the quickest lavapipe, limited to the same width, taking turns with the jit
    faster     how many times as fast the jit is; with quartiles
    at most    how many times as fast it would be in the time of the bound, or in the measured time
               if that is less; a bound is that of the loop as it is now, so another width or
               fewer instructions may move it

and the geometric means of both over the kernels of `execute.py` and of `functions.py`.

Iterations are counted by running the kernel, and the clock is measured by a chain of products. The
model of a processor is a model: it has no branches that are mispredicted, no caches, and takes
results that pass through memory for independent. Code of the loop that is skipped if no lane takes
it counts where LLVM has left it inside (`pow`), so that the ratio is below 1.
"""

import argparse
import ctypes
import json
import os
import re
import shlex
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import functions
import numpy as np
from contenders import Case, Contenders, geometric_mean, lowered, memories, ratio, spent
from device_process import DeviceProcess
from execute import MEAN, cases, started
from lavapipe import corpus
from levels import machine

from unshade.ir.kernel import KernelIR, Loop, Value
from unshade.ir.ops import OPS
from unshade.vm.jit import Jit
from unshade.vm.jit.compile import assembly, compile_text
from unshade.vm.jit.engine import CallArrays, CompiledKernel, address
from unshade.vm.jit.layout import layout, statements
from unshade.vm.jit.loop_exits import split_loop_exits
from unshade.vm.jit.processor import ENVIRONMENT, processor, triple
from unshade.vm.jit.tiers import LoopWork
from unshade.vm.jit.tuning import width_of
from unshade.vm.launch import Launch
from unshade.vm.prepare import prepare

SHORT = ("saxpy 2^17",)  # a call takes longer than its loop
CACHED = 1 << 25  # bytes: arrays that are larger do not stay in the caches
CHAIN, STEPS = 64, 1 << 18  # products and sums of the clock's loop, and its iterations
PRODUCT, SUM = 3, 1  # cycles of those of integers, on x86 processors since 2008
ARITHMETIC = re.compile(r"\s+v(add|sub|mul|div|sqrt|fn?m(add|sub)\w*)[ps][sd]\s.*%[yz]mm")
VECTOR = re.compile(r"\s+v\S+\s.*%[xyz]mm")
INTEGER = re.compile(r"\s+vp(xor|sll|srl|sra|add|sub)\w*\s.*%[yz]mm")
FLOATS = (OPS.fadd, OPS.fsub, OPS.fmul, OPS.ffma, OPS.fdiv, OPS.fsqrt)
INTEGERS = (OPS.xor, OPS.ishl, OPS.ushr)
LABEL, JUMP = re.compile(r"(\.\w+):"), re.compile(r"\s+j\w+\s+(\.\w+)")
BRANCH = re.compile(r"\s+j(?!mp)\w+\s+(\.\w+)")  # rare code jumps back into loops by jmp


@dataclass(slots=True)
class Estimate:
    """LLVM-MCA's view of an iteration, in cycles; `busiest` is the resource that is used most."""

    instructions: int
    work: float
    busiest: str
    chain: float


def inner_loop(text: str) -> list[str]:
    """Return the instructions of the loop with most vector arithmetic that contains no other."""
    lines = [line.split("#")[0].rstrip() for line in text.splitlines()]
    places = {found[1]: at for at, line in enumerate(lines) if (found := LABEL.match(line))}
    jumps = ((places.get(found[1], at), at) for at, line in enumerate(lines)
             if (found := BRANCH.match(line)))  # fmt: skip
    loops = {(start, end) for start, end in jumps if start < end}
    inner = [
        (start, end)
        for start, end in loops
        if not any(start <= a and b <= end and (a, b) != (start, end) for a, b in loops)
    ]
    bodies = [
        [line for line in lines[start:end] if re.match(r"\s+[a-z]", line)] for start, end in inner
    ]

    def matches(body: list[str], pattern: re.Pattern[str]) -> int:
        return sum(map(bool, map(pattern.match, body)))

    return max(bodies, key=lambda body: (matches(body, ARITHMETIC), matches(body, VECTOR)))


def estimate(body: Iterable[str], model: str, command: str) -> Estimate | None:
    """Return LLVM-MCA's estimate of a loop; None if the model lacks its instructions."""
    kept = "\n".join(line for line in body if not JUMP.match(line))
    words = [*shlex.split(command), f"-mtriple={triple()}", f"-mcpu={model}", "-json", "-"]
    found = subprocess.run(words, input=kept, capture_output=True, text=True, check=False)
    if found.returncode:
        return None
    told = json.loads(found.stdout)
    region = told["CodeRegions"][0]
    count = len(region["Instructions"])
    used: Counter[str] = Counter()
    for row in region["ResourcePressureView"]["ResourcePressureInfo"]:
        if row["InstructionIndex"] == count:  # of all instructions together
            used[told["TargetInfo"]["Resources"][row["ResourceIndex"]]] += row["ResourceUsage"]
    summary = region["SummaryView"]
    busiest = max(used, key=lambda each: used[each]) if used else ""
    return Estimate(
        count, summary["BlockRThroughput"], busiest, summary["TotalCycles"] / summary["Iterations"]
    )


def clock() -> float:
    """Return the cycles of a second of CPU time, from a chain of products."""
    products = "\n".join(
        f"  %z{n} = mul i64 %x{n}, %y\n  %x{n + 1} = add i64 %z{n}, %w" for n in range(CHAIN)
    )
    text = f"""target triple = "{triple()}"
define void @kernel(ptr %context, ptr %scratch, i64 %first, i64 %last) {{
entry:
  %y = load volatile i64, ptr %context
  %w = load volatile i64, ptr %context
  br label %loop
loop:
  %n = phi i64 [%first, %entry], [%n1, %loop]
  %x0 = phi i64 [%y, %entry], [%x{CHAIN}, %loop]
{products}
  %n1 = add i64 %n, 1
  %more = icmp ult i64 %n1, %last
  br i1 %more, label %loop, label %end
end:
  store volatile i64 %x{CHAIN}, ptr %context
  ret void
}}
"""
    code, place = compile_text(text), ctypes.c_int64(3)
    times = []
    for _ in range(9):
        place.value = 3
        at = ctypes.addressof(place)
        times.append(spent(lambda at=at: code.run(at, at, 0, STEPS)))  # type: ignore[misc]
    return CHAIN * STEPS * (PRODUCT + SUM) / min(times)


def bandwidth() -> float:
    """Return the bytes a second that are read and written, of arrays beyond the caches."""
    one = np.ones(1 << 24, "f4")
    other = np.zeros_like(one)
    times = [spent(lambda: np.add(one, other, out=other)) for _ in range(7)]
    return 3 * one.nbytes / min(times)


class Measured:
    """One kernel at the current width of vector registers."""

    def __init__(self, case: Case) -> None:
        program = lowered(case.files[case.form])
        self.case = case
        self.kernel: KernelIR = prepare(program, {}, {})
        self.arrays = memories(case, program)
        self.code = split_loop_exits(self.kernel)
        self.width = width_of(self.code, processor().bits)
        self.plan = layout(self.code, True, True, self.width)
        self.body = inner_loop(assembly(CompiledKernel(self.code, self.plan).text))

    @property
    def traffic(self) -> int:
        """The bytes of the arrays, those that are written twice."""
        return sum(
            len(self.arrays[memory.key]) * (2 if memory.writable else 1)
            for memory in self.kernel.memories
            if memory.key in self.arrays
        )

    def seconds(self, rounds: int) -> float:
        """Return the least time of a call."""
        engine = Jit(threads=1, quick=False)
        launch = Launch(self.arrays, self.case.groups)
        return min(spent(lambda: engine.run(self.kernel, launch)) for _ in range(rounds + 1))

    def iterations(self) -> float:
        """Return how often the inner loop of the machine code runs in a call."""
        work = LoopWork(self.code.body)
        lanes = int(np.prod(self.case.groups)) * self.plan.size
        units = self.plan.units(lanes)
        if not work.of:
            return units / self._unrolled(self.code.values())
        quick = CompiledKernel(self.code, self.plan, quick=True)
        launch = Launch({key: each.copy() for key, each in self.arrays.items()}, self.case.groups)
        arrays = CallArrays(self.code, launch, lanes)
        scratch = np.empty(quick.scratch + 64, np.uint8)
        place = address(scratch) + -address(scratch) % 64
        quick.machine_code.run(address(arrays.context), place, 0, units)
        start = place - address(scratch)
        counted = scratch[start:].view(np.uint8)[: 8 * (len(self.code.memories) + 2)]
        loop = max(
            (each for each in statements(self.code.body) if isinstance(each, Loop)
             and not any(isinstance(inner, Loop) for inner in statements(each.body))),
            key=lambda each: work.of[each],
        )  # fmt: skip
        total = int(counted.view(np.int64)[-1])
        values = [each for each in statements(loop.body) if not isinstance(each, Loop)]
        return total / work.of[loop] / self._unrolled(values)

    def _unrolled(self, values: Iterable[object]) -> int:
        """Return how many iterations of the program are one of the machine code."""
        operations = Counter(each.op for each in values if isinstance(each, Value))
        for counted, pattern in ((FLOATS, ARITHMETIC), (INTEGERS, INTEGER)):
            expected = sum(operations[op] for op in counted) * self.width * 32 // processor().bits
            if expected:
                return max(
                    1, round(sum(bool(pattern.match(line)) for line in self.body) / expected)
                )
        return 1


@dataclass(slots=True)
class Row:
    """What is known about a kernel at a width; `cells` are those of `TITLES`, as text.

    `most` and `faster` are how many times as fast as the peer it can be and is, or 0.
    """

    kernel: str
    bits: int
    cells: list[str]
    most: float = 0.0
    faster: float = 0.0


def rows(given: argparse.Namespace, cycles: float, rate: float) -> list[Row]:
    """Measure each kernel at each width."""
    every = cases(given.folder or corpus() / "bench") + functions.cases(False)
    every = [
        case for case in every
        if (case.name in given.kernels if given.kernels else case.name not in SHORT)
    ]  # fmt: skip
    found = []
    for bits in given.bits:
        os.environ[ENVIRONMENT] = str(bits)
        if processor().bits != bits:
            found += [
                Row(case.name, bits, [case.name, str(bits), *["not measured"] * 9])
                for case in every
            ]
            continue
        peers = started(given.peer) if given.peer else {}
        for case in every:
            for row in _rows(case, bits, peers, given, cycles, rate):
                print("  ".join(row.cells), flush=True)
                found.append(row)
        for peer in peers.values():
            peer.__exit__()
    order = [case.name for case in every]
    return sorted(found, key=lambda row: order.index(row.kernel))


def _rows(
    case: Case,
    bits: int,
    peers: dict[str, DeviceProcess],
    given: argparse.Namespace,
    cycles: float,
    rate: float,
) -> Iterable[Row]:
    """Measure a kernel at the current width; yield a row for each model."""
    each = Measured(case)
    seconds, count = each.seconds(given.rounds), each.iterations()
    memory = each.traffic / rate if each.traffic > CACHED else 0.0
    if peers:
        contenders = Contenders(case, peers, ("jit",))
        contenders.settle()
        times = contenders.times(given.rounds)
        quickest = min(statistics.median(times[name]) for name in peers)
        told_faster = ratio(times, "jit", list(peers))
    for model in given.models:
        told = estimate(each.body, model, given.mca)
        if told is None:
            continue
        bound = max(count * told.chain / cycles, memory)
        row = Row(case.name, bits, [
            case.name, str(bits), model, str(each.width), str(told.instructions),
            f"{told.work:.1f} ({told.busiest})", f"{told.chain:.1f}",
            f"{each.traffic / 1e6:.1f} MB" + f", {memory * 1e3:.2f} ms" * bool(memory),
            f"{seconds * cycles / count:.1f}", f"{seconds * 1e3:.2f} ms",
            f"{seconds / bound:.2f}",
        ])  # fmt: skip
        if peers:
            row.faster, row.most = told_faster.median, quickest / min(bound, seconds)
            row.cells += [f"{quickest * 1e3:.2f} ms", str(told_faster), f"{row.most:.1f}"]
        yield row


def means(told: list[Row]) -> list[str]:
    """Return the geometric means of what was compared with peers, as lines."""
    lines = []
    for title, names in (("execute.py", MEAN), ("functions.py", tuple(functions.STEPS))):
        for bits in sorted({row.bits for row in told}, reverse=True):
            by_name = {row.kernel: row for row in told if row.bits == bits and row.most}
            kept = [by_name[name] for name in names if name in by_name]
            if len(kept) == len(names):
                now = geometric_mean([row.faster for row in kept])
                most = geometric_mean([row.most for row in kept])
                lines.append(f"{title}, {bits} bits: {now:.2f} times as fast, at most {most:.2f}")
    return lines


TITLES = (
    "kernel", "bits", "model", "lanes", "instr.", "work", "chain", "memory", "measured", "time",
    "ratio",
)  # fmt: skip
COMPARED = ("peer", "faster", "at most")


def page(told: list[Row], about: str) -> str:
    """Return the results as a page in Markdown."""
    titles = TITLES + COMPARED * any(row.most for row in told)
    lines = [
        "# Bounds of the benchmark kernels",
        "",
        f"Made by `python benchmarks/ports.py`, whose text defines the columns. {about}",
        "",
        f"| {' | '.join(titles)} |",
        "|" + "---|" * len(titles),
        *(f"| {' | '.join(row.cells)} |" for row in told),
        "",
        *(f"- {line}" for line in means(told)),
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--bits", nargs="+", type=int, default=[512, 256], metavar="N")
    parser.add_argument("--models", nargs="+", default=["znver3", "znver4", "skylake-avx512"])
    parser.add_argument("--kernels", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--mca", default="llvm-mca", metavar="COMMAND")
    parser.add_argument("--peer", action="append", default=[], metavar="COMMAND")
    parser.add_argument("--page", type=Path, metavar="FILE")
    given = parser.parse_args()
    cycles, rate = clock(), bandwidth()
    about = f"{machine().rsplit('; ', 1)[0]}; {cycles / 1e9:.2f} GHz, {rate / 1e9:.1f} GB/s."
    print(about)
    print("  ".join(TITLES))
    told = rows(given, cycles, rate)
    print("\n".join(means(told)))
    if given.page:
        given.page.write_text(page(told, f"{about} {time.strftime('%Y-%m-%d')}."), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
