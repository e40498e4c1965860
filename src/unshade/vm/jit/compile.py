"""LLVM text to machine code, and the cache of machine code on disk.

The key of an object is a hash of the text, LLVM's version, and the processor with its features:
what is found under it is what would be made again. Objects are written atomically; one that cannot
be read is made anew. `UNSHADE_CACHE` names another folder, and is empty for no cache.
"""

import ctypes
import hashlib
import os
import threading
from collections.abc import Callable
from typing import Any

from ...errors import UnshadeError, UnsupportedError
from ...files import write_atomically

ENTRY = "kernel"
Run = Callable[[int, int, int, int], None]  # addresses of context and scratch; first, last unit

_LOCK = threading.Lock()
_STARTED: list[Any] = []


class Compiled:
    """Machine code in memory; it lives as long as this object."""

    __slots__ = ("cached", "engine", "run")

    def __init__(self, engine: Any, run: Run, cached: bool) -> None:
        self.engine = engine
        self.run = run
        self.cached = cached


def _binding() -> Any:
    """llvmlite, ready to make code for this machine."""
    try:
        import llvmlite.binding as llvm
    except ImportError as error:
        raise UnsupportedError(
            f"the jit engine needs llvmlite ({error}): install unshade[jit]"
        ) from None
    if not _STARTED:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        _STARTED.append(llvm)
    return llvm


def triple() -> str:
    """The machine's name in LLVM's words."""
    return str(_binding().get_process_triple())


def native_bits() -> int:
    """How many bits the widest vector register has."""
    llvm = _binding()
    features = llvm.get_host_cpu_features()
    if features.get("avx512f") and features.get("avx512bw") and features.get("avx512vl"):
        return 512
    return 256 if features.get("avx2") else 128


def folder() -> str:
    """Where objects are kept; empty for nowhere."""
    given = os.environ.get("UNSHADE_CACHE")
    if given is not None:
        return given
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "unshade", "jit")


def compile_text(text: str, level: int = 2) -> Compiled:
    """Machine code for a module."""
    llvm = _binding()
    with _LOCK:
        return _compile(llvm, text, level)


def _compile(llvm: Any, text: str, level: int) -> Compiled:
    target = llvm.Target.from_default_triple()
    cpu = llvm.get_host_cpu_name()
    features = llvm.get_host_cpu_features().flatten()
    machine = target.create_target_machine(cpu=cpu, features=features, opt=level, jit=True)
    version = ".".join(map(str, llvm.llvm_version_info))
    key = hashlib.sha256("\0".join((version, cpu, features, str(level), text)).encode()).hexdigest()
    place = os.path.join(folder(), key[:2], f"{key}.o") if folder() else ""
    code = _read(place)
    if code is not None:
        stub = llvm.parse_assembly("", context=llvm.create_context())
        engine = llvm.create_mcjit_compiler(stub, machine)
        try:
            engine.add_object_file(llvm.ObjectFileRef.from_data(code))
            engine.finalize_object()
            address = engine.get_function_address(ENTRY)
        except (RuntimeError, ValueError):
            address = 0
        if address:
            return Compiled(engine, _callable(address), True)
    module = llvm.parse_assembly(text, context=llvm.create_context())
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_unrolling = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code = machine.emit_object(module)
    stub = llvm.parse_assembly("", context=llvm.create_context())
    engine = llvm.create_mcjit_compiler(stub, machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _write(place, code)
    return Compiled(engine, _callable(engine.get_function_address(ENTRY)), False)


def _callable(address: int) -> Run:
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    found: Run = kind(address)
    return found


def _read(place: str) -> bytes | None:
    if not place:
        return None
    try:
        with open(place, "rb") as file:
            return file.read()
    except OSError:
        return None


def _write(place: str, code: bytes) -> None:
    if not place:
        return
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        write_atomically(place, code)
    except (OSError, UnshadeError):  # a cache that cannot be written is none
        pass
