"""Verbs that write a shader."""

from __future__ import annotations

from ...vocab.made import TRANSLATIONS, VULKAN_MODULE, WEBGPU_SOURCE
from ..declarations import (
    POSITIVE,
    READ,
    TEXT,
    WRITTEN,
    GeneratedOptions,
    OptionGroup,
    VerbOptions,
    argument,
    arguments,
    choice,
    chosen,
    flag,
    one,
    required,
    several,
)
from .shared import (
    DEFINES,
    ENTRY,
    ENTRY_OF_SOURCE,
    FILES,
    INCLUDES,
    JOBS,
    JSON,
    LENGTHS,
    LIMITS,
    NAMES,
    OUTPUTS,
    PROGRAM,
    SCHEMA,
    STAGE_OF_SOURCE,
    STYLE,
    WATCH,
    CompileOptions,
)


class AsmOptions(VerbOptions, verb="asm"):
    """Assemble a listing or source text ({sources})."""

    files = FILES
    donor = one(
        READ, "PATH",
        "Shader that supplies what the text lacks, or a folder of them, matched by name.",
    )  # fmt: skip
    format = one(
        TEXT, "NAME", "Output format, {assembled}; default from the text.", complete="formats"
    )
    of_formats: GeneratedOptions[object] = GeneratedOptions("assembler")
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    again = WATCH
    jobs = JOBS
    output = OUTPUTS


class TranslateOptions(VerbOptions, verb="translate"):
    """Write compiled code for another API: SPIR-V for Vulkan, with the same results, or WGSL."""

    files = FILES
    to = one(
        choice(*TRANSLATIONS), None,
        f"{VULKAN_MODULE}, a module for Vulkan; or {WEBGPU_SOURCE}, text for WebGPU; default by the"
        f" output's suffix, else {VULKAN_MODULE}.",
    )  # fmt: skip
    target = chosen(
        choice("vulkan1.1", "vulkan1.2", "vulkan1.3"), "vulkan1.1", None,
        "Environment of SPIR-V: vulkan1.1 (default), vulkan1.2 or vulkan1.3.",
    )  # fmt: skip
    bindings = several(
        TEXT, "NAME=SET:BINDING",
        "Descriptor set and binding of a resource, by its name or register (t0); may be repeated.",
        "--bind",
    )  # fmt: skip
    lines = flag(
        "Tell the lines of the listing: SPIR-V in debug information, WGSL in comments."
    )  # fmt: skip
    program = PROGRAM
    entry = ENTRY
    lengths = LENGTHS
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    again = WATCH
    jobs = JOBS
    output = OUTPUTS


IN_PLACE = flag("Replace each file.", "-i")


class SignOptions(VerbOptions, verb="sign"):
    """Recompute the digest."""

    files = FILES
    in_place = IN_PLACE
    jobs = JOBS
    output = OUTPUTS


class StripOptions(VerbOptions, verb="strip"):
    """Remove data that the runtime does not need; by default debug information."""

    files = FILES
    debug = flag("Sources, line tables, labels, debug file names.")
    reflection = flag("Names and types of bindings: {bindings}.")
    statistics = flag("Instruction counts: {counts}.")
    private = flag("Private data.")
    root_signature = flag("The root signature.")
    everything = flag("All of these. Code and signatures are kept.", "--all")
    dry_run = flag("Only list what would be removed.", "-n")
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    as_json = JSON
    schema = SCHEMA
    in_place = IN_PLACE
    jobs = JOBS
    output = OUTPUTS


MADE = "Output file."  # of verbs that write one


class EditOptions(VerbOptions, verb="edit"):
    """Edit a shader as source: decompile, open the editor, compile, compare, put back.

    The editor is $VISUAL or $EDITOR. Signatures, reflection and root signature stay. Where no
    compiler makes such programs, the listing is edited instead.
    """

    file = argument(READ, "FILE")
    to = one(
        choice("hlsl", "glsl"), None, "Language: hlsl, or glsl for Vulkan, the default of SPIR-V."
    )
    style = STYLE
    names = NAMES
    listing = flag("Edit the listing, which is assembled, in place of a source.")
    source = one(READ, "PATH", "Put this source in, without an editor.")
    program = PROGRAM
    entry = ENTRY
    lengths = LENGTHS
    compiler = one(
        TEXT, "NAME", "Compiler; default the first installed that makes such programs.",
        complete="compilers",
    )  # fmt: skip
    profile = one(TEXT, "NAME", "Profile or target environment; default the program's own.")
    defines = DEFINES
    includes = INCLUDES
    dry_run = flag("Only show the difference.", "-n")
    in_place = flag("Replace the file.", "-i")
    output = one(WRITTEN, "PATH", "Output file; replaced only on success.", "-o")


class ReduceOptions(VerbOptions, verb="reduce"):
    """Make a shader smaller while a command still ends as it does for the whole one.

    Lines of the listing are removed and instructions made simpler. COMMAND is run without a shell;
    {{}} is the path of a smaller shader, which is appended otherwise. As for llvm-reduce, it
    ends with 0 for a shader that is to be kept.
    """

    file = argument(READ, "FILE")
    test = required(TEXT, "COMMAND", "The command, such as 'sh crashes.sh {{}}'.", "--test")
    exit = chosen(
        TEXT, "0", "CODE",
        "Exit code that keeps a shader; default 0. nonzero is every other one, crash the end by a"
        " signal.",
    )  # fmt: skip
    timeout = chosen(
        POSITIVE, 60, "SECONDS",
        "Time of a run; a shader on which the command takes longer is not kept. Default 60.",
    )  # fmt: skip
    runs = chosen(POSITIVE, 2000, "N", "Number of runs of the command at most; default 2000.")
    invalid = flag("Also run it on shaders that break rules of `unshade verify`.")
    output = one(WRITTEN, "PATH", MADE, "-o")


class LinkOptions(VerbOptions, verb="link"):
    """Link objects into a shader ({objects}; experimental)."""

    files = arguments(READ, "OBJECT...")
    output = required(WRITTEN, "FILE", MADE, "-o")


class PackOptions(VerbOptions, verb="pack"):
    """Pack the modules of the stages into a container ({containers})."""

    files = arguments(READ, "MODULE...")
    reflection = one(
        READ, "FILE",
        "YAML with sections of the container; missing sections are derived from the modules.",
    )  # fmt: skip
    format = one(
        TEXT, "NAME", "Output format; default from the suffix of the output.", complete="formats"
    )
    output = required(WRITTEN, "FILE", MADE, "-o")


class ToYamlOptions(VerbOptions, verb="to-yaml"):
    """Convert to lossless YAML with every field named."""

    files = FILES
    dialect = one(
        TEXT, "NAME", "YAML dialect of another tool, which may hold less than the default one.",
        complete="yaml_dialects",
    )  # fmt: skip
    format = chosen(
        choice("yaml", "json"), "yaml", None,
        "JSON holds the same, for jq and the like; from-yaml reads both.",
    )  # fmt: skip
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    jobs = JOBS
    output = OUTPUTS


class FromYamlOptions(VerbOptions, verb="from-yaml"):
    """Convert YAML or JSON back to a shader."""

    files = FILES
    jobs = JOBS
    output = OUTPUTS


class PutBackOptions(VerbOptions, verb="put-back"):
    """Put edited shaders into a copy of the file that find --extract wrote them from.

    A file is matched by the name that find gave it, by the hash that its name begins with, or
    given as PATH=FILE, with a path that find prints.
    """

    files = arguments(READ, "ORIGINAL CHANGED...")
    limits = LIMITS
    output = required(WRITTEN, "COPY", "The copy.", "-o")
