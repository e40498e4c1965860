"""Verbs that read a shader and show it."""

from __future__ import annotations

from ..declarations import (
    TEXT,
    WRITTEN,
    GeneratedOptions,
    OptionGroup,
    VerbOptions,
    arguments,
    choice,
    flag,
    one,
    required,
    several,
)
from .shared import (
    COST,
    ENTRY,
    ENTRY_OF_SOURCE,
    FILES,
    IGNORED_CATEGORY,
    JOBS,
    JSON,
    LENGTHS,
    NAMES,
    ONLY_CATEGORY,
    OUTPUT,
    OUTPUTS,
    PROGRAM,
    SCHEMA,
    STAGE_OF_SOURCE,
    STYLE,
    WATCH,
    CompileOptions,
)


class InfoOptions(VerbOptions, verb="info"):
    """Show stage, interface, resources and costs."""

    files = FILES
    cost = COST
    pdbs = one(TEXT, "FOLDER", "Also name the PDB in this folder that has the shader's hash.")
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


class IdentifyOptions(VerbOptions, verb="identify"):
    """Identify each file in one line."""

    files = FILES
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


class PartsOptions(VerbOptions, verb="parts"):
    """List the parts of a container: offset, size, contents."""

    files = FILES
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


class DisOptions(VerbOptions, verb="dis"):
    """Disassemble, as the format's own tool ({tools}) does."""

    files = FILES
    dialect = one(TEXT, "NAME", "Dialect of the listing; default native.", complete="dialects")
    of_formats: GeneratedOptions[object] = GeneratedOptions("listing")
    lines = flag(
        "Print the code alone, each line with the number that debug, coverage and budgets of"
        " loops refer to."
    )
    source = flag(
        "Like --lines, with the lines of the source above the code that they became, by the"
        " debug information of the shader."
    )
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    again = WATCH
    jobs = JOBS
    output = OUTPUTS


class DecompileOptions(VerbOptions, verb="decompile"):
    """Write source of a shading language for compiled code."""

    files = FILES
    to = one(
        choice("hlsl", "glsl"), None,
        "Language: hlsl, or glsl for Vulkan; default by the output's suffix, else hlsl.",
    )  # fmt: skip
    style = STYLE
    names = NAMES
    lines = flag("Write the line of the listing behind each statement.")
    program = PROGRAM
    entry = ENTRY
    lengths = LENGTHS
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    again = WATCH
    jobs = JOBS
    output = OUTPUTS


class ReflectOptions(VerbOptions, verb="reflect"):
    """Show inputs, outputs, resources and constants."""

    files = FILES
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


class HexdumpOptions(VerbOptions, verb="hexdump"):
    """Dump the bytes with every field named."""

    files = FILES
    only = several(
        TEXT, "PATH",
        "Only this part, or fields below this path, e.g. RDEF.buffers[0]; may be repeated.",
        "--only", "--part", complete="fields",
    )  # fmt: skip
    docs = flag("Explain each field.")
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


class ReportOptions(VerbOptions, verb="report"):
    """Make a page of each shader: bytes, fields, listing and values side by side."""

    files = FILES
    diff = flag("Make a page of the difference of two shaders, or of two folders.", "--diff")
    only = ONLY_CATEGORY
    ignore = IGNORED_CATEGORY
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    jobs = JOBS
    output = OUTPUTS


class ExtractOptions(VerbOptions, verb="extract"):
    """Write each part to its own file."""

    files = FILES
    output = required(WRITTEN, "FOLDER", "Output folder.", "-o")
    only = several(TEXT, "PART", "Only this part; may be repeated.", complete="parts")
    stages = several(
        TEXT, "NAME",
        "Only the code of this stage: vert, frag, vertex, pixel, …; may be repeated.",
        "--stage", complete="stages",
    )  # fmt: skip
    sources = flag(
        "Write the sources held inside and the compiler's arguments, instead of the parts."
    )
    pdbs = one(
        TEXT, "FOLDER",
        "With --sources: take those of the PDB in this folder that has the hash of the shader.",
    )  # fmt: skip
    jobs = JOBS


class ExplainOptions(VerbOptions, verb="explain"):
    """Explain an operation of any language, or a rule of verify."""

    words = arguments(TEXT, "WORD...", complete="explained")
    language = one(
        TEXT, "NAME", "Only this language: {explained}, or verify for rules.",
        complete="languages_explained",
    )  # fmt: skip
    as_json = JSON
    schema = SCHEMA
    output = OUTPUT


class HeadersOptions(VerbOptions, verb="headers"):
    """Declare constant buffers and resources in C, C++, HLSL, Rust or as JSON."""

    files = FILES
    to = one(
        choice("c", "cpp", "hlsl", "rust", "json"), None,
        "Language; default by the output's suffix, else cpp.",
    )  # fmt: skip
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    jobs = JOBS
    output = OUTPUTS
