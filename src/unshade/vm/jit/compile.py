"""LLVM text to machine code in memory."""

import ctypes
import threading
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from ...errors import UnsupportedError, not_installed
from . import cache as disk

ENTRY = "kernel"
NEEDED = ("avx2", "fma", "f16c")  # x86 processors since 2013
Run = Callable[[int, int, int, int], None]  # addresses of context, scratch; first, last

_LOCK = threading.Lock()
_STARTED: list[Any] = []


class MachineCode:
    """Machine code in memory, valid as long as this object; `cached` if it came from the disk.

    `name` is that of its object file in the cache.
    """

    __slots__ = ("__weakref__", "cached", "name", "run")

    def __init__(self, run: Run, cached: bool, name: str) -> None:
        self.run = run
        self.cached = cached
        self.name = name


def _binding() -> Any:
    """Return llvmlite, initialised for this machine."""
    try:
        import llvmlite.binding as llvm
    except ImportError as error:
        raise not_installed("the engine jit", f"llvmlite ({error})", "jit") from None
    if not _STARTED:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        _STARTED.append(llvm)
    return llvm


class Processor(NamedTuple):
    """The processor: its name, its features, and the bits of the widest vector register."""

    name: str
    features: tuple[str, ...]
    bits: int

    @property
    def flags(self) -> str:
        """The features as LLVM takes them."""
        return ",".join(sorted(self.features, key=lambda each: each[1:]))


@cache
def processor() -> Processor:
    """Return the processor of this machine.

    Raises:
        UnsupportedError: LLVM would call library functions, which may be missing, for roots,
            roundings and halves.
    """
    llvm = _binding()
    name = str(llvm.get_host_cpu_name())
    machine = triple().split("-")[0]
    if machine in ("aarch64", "arm64"):
        return Processor(name, (), 128)
    features = llvm.get_host_cpu_features()
    if machine != "x86_64" or not all(features.get(each) for each in NEEDED):
        raise UnsupportedError(
            f"the jit engine needs x86-64 with {', '.join(NEEDED)}, or AArch64; this is {name} "
            f"({machine}): the lockstep engine runs anywhere"
        )
    wide = all(features.get(each) for each in ("avx512f", "avx512bw", "avx512dq", "avx512vl"))
    flags = (f"{'+' if has else '-'}{feature}" for feature, has in features.items())
    return Processor(name, tuple(flags), 512 if wide else 256)


def triple() -> str:
    """Return LLVM's name of the machine."""
    return str(_binding().get_process_triple())


def compile_text(text: str, level: int = 2) -> MachineCode:
    """Return the machine code of a module."""
    llvm = _binding()
    try:
        with _LOCK:
            return _compile(llvm, text, level)
    except RuntimeError as error:  # the only error llvmlite raises
        message = str(error).strip().splitlines()[0]
        raise UnsupportedError(f"LLVM rejects the kernel ({message}); lockstep runs it") from error


@cache
def target() -> str:
    """Return what machine code depends on besides its text: versions and the processor."""
    llvm = _binding()
    version = ".".join(map(str, llvm.llvm_version_info))
    here = processor()
    known = llvmlite_version(), version, triple(), here.name, str(here.bits), *here.features
    return "\0".join(known)


def llvmlite_version() -> str:
    """Return the version of llvmlite."""
    import llvmlite

    return str(llvmlite.__version__)


def load_object(name: str) -> MachineCode | None:
    """Return the machine code of an object file in the cache; None if it is not there."""
    code = disk.read(name)
    if code is None:
        return None
    with _LOCK:
        return _loaded(_binding(), code, name, True)


def _compile(llvm: Any, text: str, level: int) -> MachineCode:
    name = disk.key(target(), str(level), text)
    code = disk.read(name)
    if code is not None:
        made = _loaded(llvm, code, name, True)
        if made is not None:
            return made
    code = _object(llvm, text, level)
    made = _loaded(llvm, code, name, False)
    if made is None:
        raise UnsupportedError("LLVM cannot load its own object file; lockstep runs the kernel")
    disk.write(name, code)
    return made


def _object(llvm: Any, text: str, level: int) -> bytes:
    """Return the object file of a module."""
    here = processor()
    target = llvm.Target.from_default_triple()
    with (
        target.create_target_machine(
            cpu=here.name, features=here.flags, opt=level, jit=True
        ) as machine,
        llvm.create_context() as context,
        llvm.parse_assembly(text, context=context) as module,
    ):
        if level:
            _optimise(llvm, machine, module, level)
        code: bytes = machine.emit_object(module)
        return code


def _optimise(llvm: Any, machine: Any, module: Any, level: int) -> None:
    """Run the passes of a level."""
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_unrolling = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _loaded(llvm: Any, code: bytes, name: str, cached: bool) -> MachineCode | None:
    """Load an object file into memory; return None if that fails.

    The engine frees the module that it was created with, which requires the module's context.
    llvmlite 0.50 frees the context first if nothing else refers to it, and objects of a garbage
    cycle in any order. So all three are kept elsewhere, and the engine is closed before them.
    """
    context = llvm.create_context()
    stub = llvm.parse_assembly("", context=context)
    target = llvm.Target.from_default_triple()
    # It frees the machine too but does not use it: a plain one is created ten times as fast.
    engine = llvm.create_mcjit_compiler(stub, target.create_target_machine(jit=True))
    try:
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        address = engine.get_function_address(ENTRY)
    except (RuntimeError, ValueError):
        address = 0
    if not address:
        engine.close()
        return None
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    found = MachineCode(kind(address), cached, name)
    weakref.finalize(found, _close, engine, stub, context).atexit = False
    return found


def _close(engine: Any, *_: Any) -> None:
    engine.close()
