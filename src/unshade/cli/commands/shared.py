"""Arguments and options that several verbs share."""

from __future__ import annotations

from ..declarations import (
    INTEGER,
    POSITIVE,
    READ,
    TEXT,
    WRITTEN,
    OptionValue,
    VerbOptions,
    arguments,
    choice,
    chosen,
    flag,
    one,
    several,
)


def _schema(verb: str) -> str:
    """Return the JSON Schema of a verb's output."""
    from json import dumps

    from ..schema import schema

    return dumps(schema(verb), indent=2)


FILES = arguments(READ, "FILE...")
JSON = flag("Print JSON.", "--json")
SCHEMA = flag("Print the JSON Schema of the --json output and exit.", prints=_schema)
WATCH = flag("Run again whenever an input changes, until Ctrl-C.", "--watch")
JOBS = one(
    POSITIVE, "N",
    "Number of processes for several inputs; default the number of processors.", "-j",
)  # fmt: skip
COST = flag("Also count operations, chains and live registers, as `unshade cost` does.")
OUTPUT = one(WRITTEN, "PATH", "Output file; replaced only on success.", "-o")
ONLY_CATEGORY = several(
    TEXT, "CATEGORY",
    "Compare only this category: code, interface, reflection, statistics, debug,"
    " compiler, digest, private or container. May be repeated or comma-separated.",
    complete="categories", commas=True,
)  # fmt: skip
IGNORED_CATEGORY = several(
    TEXT, "CATEGORY", "Ignore this category.", complete="categories", commas=True
)
OUTPUTS = one(WRITTEN, "PATH", "Output file; a folder for several inputs.", "-o")
ENGINE = chosen(
    choice("auto", "jit", "lockstep"), "auto", None,
    "Engine to use; auto means jit if llvmlite is installed.",
)  # fmt: skip
PROGRAM = chosen(INTEGER, 0, "N", "Program index, from 0.")
ENTRY = one(TEXT, "NAME", "Entry point, if the program has several.", complete="entries")
STYLE = chosen(
    choice("readable", "exact"), "readable", None,
    "readable (default), or exact: the same bits as the program on every lane.",
)  # fmt: skip
NAMES = one(
    READ, "FILE", "YAML or JSON with names in place of those of the source, as t_1: brightness."
)
PRECISION = chosen(
    choice("float32", "float24"), "float32", None,
    "Float precision; float24 rounds every result to the 24-bit floats of the Nintendo 3DS.",
)  # fmt: skip
INTERFACES = several(
    TEXT, "SLOT=CLASS",
    "Link an interface slot: fp0=ft2, variable=class or variable=instance.",
    "--interface", complete="interfaces",
)  # fmt: skip
LENGTHS = several(
    TEXT, "FIRST=N", "Number of resources in an unbounded array: t0=4.", "--length"
)  # fmt: skip
CONSTANTS = several(
    TEXT, "NAME=VALUE",
    "Set a specialisation constant, by name or number, to a number, true or false.",
    "--constant", complete="constants",
)  # fmt: skip
GROUP = one(TEXT, "X,Y,Z", "Thread group size, if the program does not fix it.")
WAVE_SIZE = one(
    INTEGER, "N", "Lanes per wave, if the program does not fix them: a power of two up to 128."
)
SAMPLES = chosen(INTEGER, 1, "N", "Samples per pixel reported to the shader: 1, 2, 4, 8 or 16.")


def _languages() -> list[str]:
    from ...formats import source_languages

    return source_languages()


LANGUAGE = one(
    OptionValue[str](_languages), "NAME",
    "Language of a source: hlsl, slang, glsl, wgsl, …; default from its suffix.",
)  # fmt: skip
STAGE_OF_SOURCE = one(
    TEXT, "NAME",
    "Stage of a source's entry point, if neither the source nor its suffix specifies it.",
    complete="stages",
)  # fmt: skip
ENTRY_OF_SOURCE = one(TEXT, "NAME", "Entry point of a source, if it has several.")
PROFILE = one(TEXT, "NAME", "Profile or target environment for the compiler.")
DEFINES = several(TEXT, "NAME=VALUE", "Define a macro for a source.", "--define", "-D")
INCLUDES = several(
    TEXT, "FOLDER", "Folder that a source may include files from, beside its own.",
    "--include", "-I",
)  # fmt: skip
COMPILER = one(
    TEXT, "NAME", "Compiler of sources; default the first that is installed, of slang, dxc, …",
    complete="compilers",
)  # fmt: skip


class SourceOptions(VerbOptions):
    """Options of compilers, for sources in place of a compiled shader."""

    language = LANGUAGE
    stage = STAGE_OF_SOURCE
    profile = PROFILE
    defines = DEFINES
    includes = INCLUDES
    compiler = COMPILER


class CompileOptions(VerbOptions):
    """Options of verbs that compile only on request, and that declare the stage themselves."""

    asked = flag(
        "Compile or assemble FILE if it is a source; without it, only compiled shaders are read.",
        "--compile",
    )
    language = LANGUAGE
    profile = PROFILE
    defines = DEFINES
    includes = INCLUDES
    compiler = COMPILER


LIMITS = several(
    TEXT, "NAME=VALUE",
    "Set a limit on unpacking: unpacked (bytes in all), entries, layers or file_size (bytes of an"
    " entry); with K, M or G after the number.",
    "--limit",
)  # fmt: skip
