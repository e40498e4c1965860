"""The Slang compiler's C interface, called in the worker process alone (worker.py).

A session is made once (0.3 s), a request for each compilation:

    spCreateSession → spCreateCompileRequest → spSet…, spAdd… → spCompile → spGetEntryPointCodeBlob

Handles are `void*`: each call has its types declared, or ctypes would cut pointers to 32 bits.
Source: slang.h and slang-deprecated.h of Slang 2026.12, and calls of the library itself.
"""

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint32, c_void_p
from pathlib import Path

from ...tuples import NamedTuple
from ..signatures import DeclaredFunction
from . import declarations, targets
from .filesystem import FileSystem
from .objects import taken

SPIRV = 6  # SlangCompileTarget
LANGUAGES = {"slang": 1, "hlsl": 2, "glsl": 3}  # SlangSourceLanguage
STAGES = {
    "vertex": 1, "hull": 2, "domain": 3, "geometry": 4, "pixel": 5, "compute": 6,
    "raygeneration": 7, "intersection": 8, "anyhit": 9, "closesthit": 10, "miss": 11,
    "callable": 12, "mesh": 13, "amplification": 14,
}  # fmt: skip
DEBUG = 2  # SLANG_DEBUG_INFO_LEVEL_STANDARD: NonSemantic.Shader.DebugInfo.100 with the source
# SlangMatrixLayoutMode. Columns of HLSL are contiguous, as by default in fxc and dxc. Slang's rows
# of a matrix of GLSL are GLSL's columns, which are contiguous as well.
ROW_MAJOR, COLUMN_MAJOR = 1, 2
NO_CODE = 1 << 4  # SLANG_COMPILE_FLAG_NO_CODEGEN

PATTERNS = ("libslang-compiler.so*", "libslang-compiler*.dylib", "slang-compiler.dll")


def library_in(folder: Path) -> Path | None:
    """Return the path of the compiler's library in a folder; its name contains the version."""
    for pattern in PATTERNS:
        found = sorted(folder.glob(pattern))
        if found:
            return found[-1]
    return None


class SessionDescription(ctypes.Structure):
    """SlangGlobalSessionDesc: 80 bytes."""

    _fields_ = (
        ("size", c_uint32),
        ("api_version", c_uint32),
        ("language_version", c_uint32),
        ("glsl", c_bool),
        ("reserved", c_uint32 * 16),
    )


ARGUMENTS = "command line"  # the file of mistakes in arguments


class Request(NamedTuple):
    """One compilation, as the parent sends it."""

    text: str
    name: str
    language: str
    entries: Sequence[tuple[str, str]]
    folders: Sequence[str]
    defines: dict[str, str]
    arguments: Sequence[str]
    debug: bool
    optimise: int | None
    profile: str = ""  # as Slang spells it: spirv_1_5
    declarations: bool = False  # return the functions in place of code


class Answer(NamedTuple):
    """The result: a module with all entry points, or the functions; only messages on errors."""

    code: bytes | None
    messages: str
    includes: Sequence[str]
    absent: Sequence[str]
    functions: Sequence[DeclaredFunction] = ()


class Slang:
    """The loaded library and its session."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        self._declare()
        description = SessionDescription(ctypes.sizeof(SessionDescription), 0, 2025, True)
        session = c_void_p()
        failed = self._library.slang_createGlobalSession2(
            ctypes.byref(description), ctypes.byref(session)
        )
        if failed < 0 or session.value is None:
            raise OSError(f"slang_createGlobalSession2 returned {failed}")
        self._session = session
        self.version = str(self._library.spGetBuildTagString().decode())

    def _declare(self) -> None:
        handle, number, text = c_void_p, c_int, c_char_p
        for name, result, arguments in (
            ("slang_createGlobalSession2", number, [c_void_p, POINTER(c_void_p)]),
            ("slang_createBlob", handle, [c_void_p, c_size_t]),
            ("spGetBuildTagString", text, []),
            ("spCreateCompileRequest", handle, [handle]),
            ("spDestroyCompileRequest", None, [handle]),
            ("spProcessCommandLineArguments", number, [handle, POINTER(text), number]),
            ("spSetFileSystem", None, [handle, c_void_p]),
            ("spAddSearchPath", None, [handle, text]),
            ("spAddPreprocessorDefine", None, [handle, text, text]),
            ("spSetDebugInfoLevel", None, [handle, number]),
            ("spSetOptimizationLevel", None, [handle, number]),
            ("spSetMatrixLayoutMode", None, [handle, number]),
            ("spAddCodeGenTarget", number, [handle, number]),
            ("spSetTargetFlags", None, [handle, number, c_uint32]),
            ("spFindProfile", c_uint32, [handle, text]),
            ("spSetTargetProfile", None, [handle, number, c_uint32]),
            ("spAddTranslationUnit", number, [handle, number, text]),
            ("spAddTranslationUnitSourceString", None, [handle, number, text, text]),
            ("spAddEntryPoint", number, [handle, number, text, number]),
            ("spCompile", number, [handle]),
            ("spGetDiagnosticOutput", text, [handle]),
            ("spGetTargetCodeBlob", number, [handle, number, POINTER(c_void_p)]),
            ("spSetCompileFlags", None, [handle, c_uint32]),
            *declarations.CALLS,
            *targets.CALLS,
        ):
            call = getattr(self._library, name)
            call.restype = result
            call.argtypes = arguments

    def compile(self, request: Request) -> Answer:
        """Compile the entry points of one source to one module of SPIR-V."""
        call = self._library
        files = FileSystem(request.name, request.text, request.folders, call.slang_createBlob)
        made = call.spCreateCompileRequest(self._session)
        try:
            call.spSetFileSystem(made, files.pointer)
            is_glsl = request.language == "glsl"
            call.spSetMatrixLayoutMode(made, ROW_MAJOR if is_glsl else COLUMN_MAJOR)
            call.spSetDebugInfoLevel(made, DEBUG if request.debug else 0)
            if request.optimise is not None:
                call.spSetOptimizationLevel(made, request.optimise)
            target = call.spAddCodeGenTarget(made, SPIRV)
            given = [each.encode() for each in request.arguments]
            texts = (c_char_p * len(given))(*given)
            if call.spProcessCommandLineArguments(made, texts, len(given)) < 0:
                return Answer(None, self._messages(made), files.read, files.absent)
            if request.profile:
                profile = call.spFindProfile(self._session, request.profile.encode())
                if not profile:
                    unknown = f"\terror\t{ARGUMENTS}\t1\t1\t1\t1\tunknown profile"
                    return Answer(None, f"{unknown} {request.profile!r}", (), ())
                call.spSetTargetProfile(made, target, profile)
            # Generate one module for all entry points, by Slang's own generator of SPIR-V.
            call.spSetTargetFlags(made, target, 1 << 8 | 1 << 10)
            for folder in request.folders:
                call.spAddSearchPath(made, folder.encode())
            for name, value in request.defines.items():
                call.spAddPreprocessorDefine(made, name.encode(), value.encode())
            unit = call.spAddTranslationUnit(made, LANGUAGES[request.language], b"source")
            text = request.text.encode("utf-8", "surrogateescape")
            call.spAddTranslationUnitSourceString(made, unit, request.name.encode(), text)
            if request.declarations:
                call.spSetCompileFlags(made, NO_CODE)
            for entry, stage in request.entries:
                call.spAddEntryPoint(made, unit, entry.encode(), STAGES[stage])
            if call.spCompile(made) < 0:
                return Answer(None, self._messages(made), files.read, files.absent)
            if request.declarations:
                found = declarations.functions_of(call, made, unit, is_glsl)
                return Answer(None, self._messages(made), files.read, files.absent, found)
            blob = c_void_p()
            if call.spGetTargetCodeBlob(made, target, ctypes.byref(blob)) < 0 or blob.value is None:
                return Answer(None, self._messages(made), files.read, files.absent)
            code = taken(blob)
            explicit = targets.EXPLICIT in request.text  # these locations are the source's own
            if not explicit and any(stage == "pixel" for _, stage in request.entries):
                code = targets.located(code, targets.targets_of(call, made))
            return Answer(code, self._messages(made), files.read, files.absent)
        finally:
            call.spDestroyCompileRequest(made)

    def _messages(self, made: c_void_p) -> str:
        text = self._library.spGetDiagnosticOutput(made)
        return text.decode("utf-8", "replace") if text else ""
