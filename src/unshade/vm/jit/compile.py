"""LLVM text to machine code in memory."""

import ctypes
import threading
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any

from ...errors import UnsupportedError
from .cache import disk
from .object_file import LoadedObject, load_object_file, usable
from .processor import Processor, imported, processor, triple

ENTRY = "kernel"
Run = Callable[[int, int, int, int], None]  # addresses of context, scratch; first, last
# How code is made for our own loader, in whose mappings constants are beside the code, and for that
# of LLVM, where they may be anywhere.
OWN = {"codemodel": "small", "reloc": "pic"}
OF_LLVM = {"codemodel": "jitdefault"}
PASSES = {"loop_vectorization": False, "slp_vectorization": False, "loop_unrolling": True}
FUNCTION = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
)  # fmt: skip

_LOCK = threading.Lock()
_STARTED: list[Any] = []


class MachineCode:
    """Machine code in memory, valid as long as this object; `cached` if it came from the disk.

    `name` is the name of its object file in the cache; `own` if it was loaded without LLVM.
    """

    __slots__ = ("__weakref__", "_loaded", "address", "cached", "name", "run")

    def __init__(
        self, address: int, cached: bool, name: str, loaded: LoadedObject | None = None
    ) -> None:
        self.address = address
        self.run: Run = FUNCTION(address)
        self.cached = cached
        self.name = name
        self._loaded = loaded

    @property
    def own(self) -> bool:
        return self._loaded is not None


def _binding() -> Any:
    """Return llvmlite, initialised for this machine."""
    llvm = imported()
    if not _STARTED:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        _STARTED.append(llvm)
    return llvm


def compile_text(text: str, level: int = 2) -> MachineCode:
    """Return the machine code of a module."""
    llvm = _binding()
    try:
        return _compile(llvm, text, level)
    except RuntimeError as error:  # the only error llvmlite raises
        message = str(error).strip().splitlines()[0]
        raise UnsupportedError(f"LLVM rejects the kernel ({message}); lockstep runs it") from error


def target() -> str:
    """Return the dependences of machine code besides its text: versions and the processor."""
    return _target(processor())


@cache
def _target(here: Processor) -> str:
    version = ".".join(map(str, imported().llvm_version_info))
    known = llvmlite_version(), version, triple(), here.name, str(here.bits), *here.features
    return "\0".join(known)


def llvmlite_version() -> str:
    """Return the version of llvmlite."""
    import llvmlite

    return str(llvmlite.__version__)


def load_object(name: str, own: bool) -> MachineCode | None:
    """Return the machine code of an object file in the cache; None if it is not there.

    Args:
        name: The name of the file.
        own: Load it without LLVM, for which it was made.
    """
    code = disk.read(name)
    return None if code is None else _loaded(code, name, own, True)


def _compile(llvm: Any, text: str, level: int) -> MachineCode:
    for own in (True, False) if usable() else (False,):
        name = disk.key(target(), _options(level, own), text)
        code = disk.read(name)
        made = None if code is None else _loaded(code, name, own, True)
        if made is None:
            with _LOCK:
                code = _object(llvm, text, level, own)
            made = _loaded(code, name, own, False)
            if made is not None:
                disk.write(name, code)
        if made is not None:
            return made
    raise UnsupportedError("LLVM cannot load its own object file; lockstep runs the kernel")


def _options(level: int, own: bool) -> str:
    """Return the compilation options of a module, for the name of its object file."""
    return repr((level, OWN if own else OF_LLVM, PASSES if level else {}))


def assembly(text: str, level: int = 2) -> str:
    """Return the machine code of a module as text, for reading and measuring it."""
    found: str = _emitted(_binding(), text, level, usable(), "emit_assembly")
    return found


def _object(llvm: Any, text: str, level: int, own: bool) -> bytes:
    """Return the object file of a module, for one of the loaders."""
    found: bytes = _emitted(llvm, text, level, own, "emit_object")
    return found


def _emitted(llvm: Any, text: str, level: int, own: bool, emit: str) -> Any:
    """Return the output of a method of LLVM's target machine for an optimised module."""
    here = processor()
    target = llvm.Target.from_default_triple()
    with (
        target.create_target_machine(
            cpu=here.name, features=here.flags, opt=level, jit=True, **(OWN if own else OF_LLVM)
        ) as machine,
        llvm.create_context() as context,
        llvm.parse_assembly(text, context=context) as module,
    ):
        if level:
            _optimise(llvm, machine, module, level)
        return getattr(machine, emit)(module)


def _optimise(llvm: Any, machine: Any, module: Any, level: int) -> None:
    """Run the passes of a level."""
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    for name, value in PASSES.items():
        setattr(options, name, value)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _loaded(code: bytes, name: str, own: bool, cached: bool) -> MachineCode | None:
    """Load an object file into memory; return None if that fails."""
    if own:
        loaded = load_object_file(code, ENTRY)
        return None if loaded is None else MachineCode(loaded.address, cached, name, loaded)
    with _LOCK:
        return _loaded_by_llvm(_binding(), code, name, cached)


def _loaded_by_llvm(llvm: Any, code: bytes, name: str, cached: bool) -> MachineCode | None:
    """Load an object file with LLVM; return None if that fails.

    The engine frees the module that it was created with, which requires the module's context.
    llvmlite 0.50 frees the context first if nothing else refers to it, and objects of a garbage
    cycle in any order. So all three are stored elsewhere, and the engine is closed before they are
    released.
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
    found = MachineCode(address, cached, name)
    weakref.finalize(found, _close, engine, stub, context).atexit = False
    return found


def _close(engine: Any, *_: Any) -> None:
    engine.close()
