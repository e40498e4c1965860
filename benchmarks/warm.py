"""The first call with a warm cache, beside llvmlite's own load of the same object file.

    python benchmarks/warm.py [FOLDER] [--rounds N] [--kernels NAME ...]

    unshade    from the bytes of a file: `loads`, `kernel`, and a dispatch of one group
    llvmlite   from the bytes of the object file that the call uses: LLVM for this machine, an
               engine, the object added to it, the function's address
    check      the digests of unshade's own modules, computed during the import of the jit

Each measurement is a process of its own, the two taking turns, after both have imported the same
modules and read their files. Times are CPU times in ms, all threads of the process together;
medians over the rounds, with quartiles.
"""

import argparse
import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

# The numbers of `execute.py` for one group each.
PUSH = {
    "saxpy": struct.pack("<fI", 1.5, 1 << 17),
    "mandel": struct.pack("<4f3I", -2.2, -1.3, 3 / 1024, 2.6 / 1024, 1024, 0, 0),
    "xorshift": struct.pack("<I", 256),
    "nbody": struct.pack("<fI", 0.01, 1024),
    "matmul": struct.pack("<I", 512),
}


def spent(call: Callable[[], object]) -> float:
    """CPU milliseconds of a call."""
    start = time.process_time_ns()
    call()
    return (time.process_time_ns() - start) / 1e6


def child(what: str, name: str, data: bytes) -> None:
    """Measure one of the two in this process, and print the milliseconds."""
    import ctypes

    import llvmlite.binding as llvm
    import numpy as np

    import unshade
    import unshade.api
    import unshade.formats.dxcontainer.about
    import unshade.formats.dxcontainer.shader
    import unshade.run.opening
    from unshade.vm.jit.cache import module_digests

    kept: list[object] = []

    def load() -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        context = llvm.create_context()
        stub = llvm.parse_assembly("", context=context)
        target = llvm.Target.from_default_triple()
        engine = llvm.create_mcjit_compiler(stub, target.create_target_machine(jit=True))
        engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        engine.finalize_object()
        kept.extend((context, stub, engine, ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(
            engine.get_function_address("kernel")
        )))  # fmt: skip

    push = np.frombuffer(PUSH[name] + bytes(-len(PUSH[name]) % 16), np.uint8)
    kind = "u4" if name in ("mandel", "xorshift") else "f4"
    arrays = [np.ones(1 << 18, kind) for _ in range(3)]

    def call() -> None:
        kernel = unshade.kernel(unshade.loads(data))
        names = [each.name for each in kernel.bindings]
        given = dict(zip((each for each in names if each != "cb0"), arrays, strict=False))
        kernel.dispatch(1, {**given, "cb0": push})
        kept.append(kernel)

    found = {"ms": spent(call if what == "unshade" else load)}
    if what == "unshade":
        from unshade.run.kernels import Kernel

        (kernel,) = kept
        assert isinstance(kernel, Kernel)
        found["lowered"] = float(kernel.program._lowered is not None)  # not taken from the cache
        found["check"] = spent(lambda: module_digests.ModuleDigests().prefetch())
    print(json.dumps(found))


def measured(what: str, name: str, path: Path) -> dict[str, float]:
    """Return what a process of its own prints."""
    line = [sys.executable, __file__, "--child", what, name, str(path)]
    ended = subprocess.run(line, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(ended.stdout)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--kernels", nargs="+", default=[*PUSH])
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        what, name, path = given.child
        data = Path(path).read_bytes()
        child(what, name, data if what == "unshade" else data[32:])  # the cache's seal
        return 0
    if given.folder is None:
        from lavapipe import corpus

        given.folder = corpus() / "bench"
    late = False
    print(f"CPU ms, medians of {given.rounds} (quartiles)")
    print(f"{'':10}{'object':>8}{'unshade':>22}{'llvmlite':>22}{'more':>8}{'check':>8}")
    for name in given.kernels:
        file = given.folder / f"{name}.dxbc"
        with tempfile.TemporaryDirectory() as folder:
            os.environ["UNSHADE_CACHE"] = folder
            for _ in range(3):  # the digests are known from the second process on
                first = measured("unshade", name, file)
            if first["lowered"]:
                print(f"{name}: not in the cache; were files of unshade just changed?")
                return 1
            (object_file,) = Path(folder).glob("*/*.o")
            mine, theirs = [], []
            for _ in range(given.rounds):
                mine.append(measured("unshade", name, file))
                theirs.append(measured("llvmlite", name, object_file)["ms"])
            ours = [each["ms"] for each in mine]
            more = statistics.median(ours) - statistics.median(theirs)
            check = statistics.median(each["check"] for each in mine)
            late |= more > 1
            print(
                f"{name:10}{object_file.stat().st_size:8,}{shown(ours):>22}{shown(theirs):>22}"
                f"{more:8.2f}{check:8.2f}"
            )
    print("more than 1 ms above llvmlite" if late else "at most 1 ms above llvmlite")
    return 0


def shown(times: list[float]) -> str:
    """`3.21 (3.10-3.40)`."""
    low, middle, high = statistics.quantiles(times, n=4)
    return f"{middle:.2f} ({low:.2f}-{high:.2f})"


if __name__ == "__main__":
    sys.exit(main())
