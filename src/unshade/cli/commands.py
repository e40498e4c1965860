"""Every verb of the command line: its help, arguments and options, in the order of `--help`.

Declarations only (declarations.py). The function of a verb is `run` in the module of the same name
in verbs/, which is imported when the verb is called. `jobs`, `again` and `schema` concern the call
of the function, which does not read them.
"""

from __future__ import annotations

from collections.abc import Mapping

from .declarations import (
    ANGLE,
    BOUND,
    FLAG,
    INTEGER,
    NATURAL,
    POSITIVE,
    READ,
    REAL,
    SHADER,
    TEXT,
    WRITTEN,
    GeneratedOptions,
    OptionGroup,
    OptionValue,
    VerbArgument,
    VerbOption,
    VerbOptions,
    argument,
    arguments,
    choice,
    chosen,
    declared,
    flag,
    one,
    optional,
    required,
    several,
)

# ---------------------------------------------------------------- shared options


def _schema(verb: str) -> str:
    """Return the JSON Schema of a verb's output."""
    from json import dumps

    from .schema import schema

    return dumps(schema(verb), indent=2)


FILES = arguments(READ, "FILE...")
FILE = argument(SHADER, "FILE")
ONE_FILE = optional(SHADER, "[FILE]")
JSON = flag("Print JSON.", "--json")
SCHEMA = flag("Print the JSON Schema of the --json output and exit.", prints=_schema)
WATCH = flag("Run again whenever an input changes, until Ctrl-C.", "--watch")
JOBS = one(
    POSITIVE, "N",
    "Number of processes for several inputs; default the number of processors.", "-j",
)  # fmt: skip
COST = flag("Also count operations, chains and live registers, as `unshade cost` does.")
IN_PLACE = flag("Replace each file.", "-i")
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
MADE = "Output file."  # of verbs that write one

BIND = several(
    BOUND, "NAME=VALUE",
    "Bind a value to a register, a resource or an input semantic: a file (.npy, .json, an"
    " image or texture with optional ,mips ,srgb, else raw bytes); zeros(n), ones(n), iota(n) or"
    " random(n), also with a dtype, ones(8,8,float32); JSON, also with a dtype, float32[1,2];"
    " numbers; for a sampler, words such as point or linear,wrap; for a child, a program too.",
    complete="bindings",
)  # fmt: skip
SETS = several(
    TEXT, "NAME=VALUE", "Set a variable of a constant buffer: comma-separated numbers, or JSON.",
    "--set", complete="variables",
)  # fmt: skip
ENGINE = chosen(
    choice("auto", "jit", "lockstep"), "auto", None,
    "Engine to use; auto means jit if llvmlite is installed.",
)  # fmt: skip
PROGRAM = chosen(INTEGER, 0, "N", "Program index, from 0.")
ENTRY = one(TEXT, "NAME", "Entry point, if the program has several.", complete="entries")
PRECISION = chosen(
    choice("float32", "float24"), "float32", None,
    "Float precision; float24 rounds every result to the 24-bit floats of the Nintendo 3DS.",
)  # fmt: skip
BUDGET = one(POSITIVE, "N", "Maximum number of loop iterations.")
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
GROUPS = one(TEXT, "X,Y,Z", "Thread groups per axis; also XxYxZ.")


def _languages() -> list[str]:
    from ..compilers import SourceLanguage

    return [str(each) for each in SourceLanguage]


class SourceOptions(VerbOptions):
    """Options of compilers, for sources in place of a compiled shader."""

    language = one(
        OptionValue[str](_languages), "NAME",
        "Language of a source: hlsl, slang, glsl, wgsl, …; default from its suffix.",
    )  # fmt: skip
    stage = one(
        TEXT, "NAME",
        "Stage of a source's entry point, if neither the source nor its suffix specifies it.",
        complete="stages",
    )  # fmt: skip
    profile = one(TEXT, "NAME", "Profile or target environment for the compiler.")
    defines = several(TEXT, "NAME=VALUE", "Define a macro for a source.", "--define", "-D")
    includes = several(
        TEXT, "FOLDER", "Folder that a source may include files from, beside its own.",
        "--include", "-I",
    )  # fmt: skip
    compiler = one(
        TEXT, "NAME", "Compiler of sources; default the first that is installed, of slang, dxc, …",
        complete="compilers",
    )  # fmt: skip


class SceneOptions(VerbOptions):
    """Options of the stages and the geometry of a drawing."""

    hs = one(SHADER, "FILE", "Hull shader; patches of a mesh are triangles.")
    ds = one(SHADER, "FILE", "Domain shader.")
    gs = one(SHADER, "FILE", "Geometry shader.")
    ms = one(
        SHADER, "FILE", "Mesh shader, run over --groups; it takes the place of --vs and --mesh."
    )
    as_ = one(SHADER, "FILE", "Amplification shader before the mesh shader.", "--as")
    mesh = one(
        READ, "FILE", "Mesh: .obj, .gltf, .glb, .ply or .stl. Without --vs, FILE has all stages."
    )
    count = one(
        NATURAL, "N",
        "Number of vertices, or of what the stage takes, for a shader without inputs; it takes"
        " the place of --mesh.",
    )  # fmt: skip
    topology = one(
        TEXT, "NAME",
        "Primitives that --count vertices form: triangle_list, triangle_strip, triangle_fan,"
        " line_list, line_strip, point_list, also with _adjacency, patch_list, or '4 control point"
        " patch list'; default triangles, or patches if there is a hull shader.",
        complete="topologies",
    )  # fmt: skip
    size = one(TEXT, "WxH", "Image size, or N for N x N; default 512x512.")
    time = chosen(REAL, 0.0, "SECONDS", "Value of time, iTime, …; default 0.")
    attribute = several(
        TEXT, "SEMANTIC=SOURCE",
        "Source of a vertex input, by semantic or location: position, normal, uv, or numbers."
        " By default by name (POSITION, inPos, nrm, a_uv, COLOR); if none is a position, by the"
        " order of locations.",
    )  # fmt: skip
    eye = one(TEXT, "X,Y,Z", "Camera position.")
    look_at = one(TEXT, "X,Y,Z", "Camera target.")
    fov = one(ANGLE, "DEGREES", "Vertical field of view; default 45.")
    columns = one(
        FLAG, None,
        "Use matrices for column vectors, mul(m, v), or row vectors, mul(v, m); default"
        " columns for Vulkan, rows for other programs.",
        "--columns/--rows",
    )  # fmt: skip
    cull = one(choice("none", "back", "front"), None, "Faces to cull; default none.")
    fill = one(
        choice("solid", "wireframe", "point"), None, "What triangles are drawn as; default solid."
    )
    state = several(
        TEXT, "FIELD=VALUE",
        "Field of the state of rasteriser, depth, stencil or blending, by the name of Direct3D 12"
        " or Vulkan: depth_bias=4, depth_func=always, front_face.pass_op=incr, src_blend=one.",
    )  # fmt: skip
    blend = one(
        choice("opaque", "alpha", "premultiplied", "additive", "multiply"), None,
        "Blending of the targets; default opaque.",
    )  # fmt: skip
    interfaces = INTERFACES
    lengths = LENGTHS
    constants = CONSTANTS
    group = GROUP
    wave_size = WAVE_SIZE
    entry = ENTRY
    precision = PRECISION
    color_space = one(
        choice("srgb"), None,
        "Colour space of the destination, for programs that convert colours; default none.",
    )  # fmt: skip
    samples = SAMPLES


# ---------------------------------------------------------------- verbs


class InfoOptions(VerbOptions, verb="info"):
    """Show stage, interface, resources and costs."""

    files = FILES
    cost = COST
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
    again = WATCH
    jobs = JOBS
    output = OUTPUTS


class DecompileOptions(VerbOptions, verb="decompile"):
    """Write source of a shading language for compiled code."""

    files = FILES
    to = chosen(
        choice("hlsl", "glsl"), "hlsl", None, "Language: hlsl (default), or glsl for Vulkan."
    )
    style = chosen(
        choice("readable", "exact"), "readable", None,
        "readable (default), or exact: the same bits as the program on every lane.",
    )  # fmt: skip
    lines = flag("Write the line of the listing behind each statement.")
    program = PROGRAM
    entry = ENTRY
    lengths = LENGTHS
    again = WATCH
    jobs = JOBS
    output = OUTPUTS


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
    again = WATCH
    jobs = JOBS
    output = OUTPUTS


class ReflectOptions(VerbOptions, verb="reflect"):
    """Show inputs, outputs, resources and constants."""

    files = FILES
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


class VerifyOptions(VerbOptions, verb="verify"):
    """Check every rule; exit with 1 if there are findings."""

    files = arguments(READ, "FILE...", required=False)
    of_formats: GeneratedOptions[object] = GeneratedOptions("verifier")
    as_json = JSON
    schema = SCHEMA
    format = one(
        choice("text", "json", "junit", "sarif"), None,
        "Output format; default text. json is the same as --json.",
    )  # fmt: skip
    explain = one(TEXT, "CODE", "Explain this rule and exit.", complete="rules")
    rules = flag("List all rules and exit.")
    jobs = JOBS
    output = OUTPUT


def _stages() -> list[str]:
    from ..model import Stage

    return [str(each) for each in Stage]


class CheckOptions(VerbOptions, verb="check"):
    """Check shaders against budgets, or pipelines; exit with 1 if a limit or rule is broken."""

    files = arguments(READ, "FILE...", required=False)
    pipeline = flag("Check the files as the stages of one pipeline, in place of budgets.")
    pair = several(
        TEXT, "RULE",
        "Check pipelines of the files that match globs, such as 'vs/*.cso=ps/*.cso': those whose"
        " wildcards stand for the same; may be repeated.",
    )  # fmt: skip
    pipelines = one(READ, "FILE", "Check the pipelines that a JSON file lists.")
    root_signature = one(
        READ, "FILE",
        "Root signature of a Direct3D 12 pipeline: a shader with one, or a text in HLSL; default"
        " the one that the stages embed.",
    )  # fmt: skip
    layout = one(READ, "FILE", "JSON of a Vulkan pipeline layout: descriptor sets, push constants.")
    state = one(READ, "FILE", "JSON of a pipeline's state: input layout, targets, topology, …")
    budgets = one(READ, "FILE", "TOML file with [[budget]] tables: limits by glob and stage.")
    limits: GeneratedOptions[int] = GeneratedOptions("metrics")
    stage = several(
        OptionValue[str](_stages), "NAME",
        "Apply the limits given as options only to this stage: vertex, pixel, compute, …; may be"
        " repeated.",
    )  # fmt: skip
    baseline = one(
        READ, "PATH",
        "Build to compare with, a folder or a file: markdown then lists what changed.",
    )  # fmt: skip
    cost = flag("With --baseline, also list changed counts of `unshade cost`.")
    everything = flag("Also list shaders within their limits.", "-a", "--all")
    as_json = JSON
    schema = SCHEMA
    format = one(
        choice("text", "json", "junit", "sarif", "markdown"), None,
        "Output format; default text. json is the same as --json; junit and sarif are of"
        " pipelines, markdown of budgets.",
    )  # fmt: skip
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
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


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
    as_json = JSON
    schema = SCHEMA
    in_place = IN_PLACE
    jobs = JOBS
    output = OUTPUTS


class AuditOptions(VerbOptions, verb="audit"):
    """List what a file gives away: sources, names, paths, users, times, options."""

    files = FILES
    deny = several(
        TEXT, "CATEGORY",
        "Exit with 1 if a file gives away something of this category: source, comment, path, user,"
        " machine, time, options, compiler, pdb, name, text, unused or all. May be repeated or"
        " comma-separated; only these are listed.",
        complete="disclosures", commas=True,
    )  # fmt: skip
    everything = flag("List every finding, not the first of each category.", "-a", "--all")
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


class HeadersOptions(VerbOptions, verb="headers"):
    """Declare constant buffers and resources in C, C++, HLSL, Rust or as JSON."""

    files = FILES
    to = chosen(choice("c", "cpp", "hlsl", "rust", "json"), "cpp", None, "Language; default cpp.")
    jobs = JOBS
    output = OUTPUTS


class CostOptions(VerbOptions, verb="cost"):
    """Count the operations, chains and live registers of a program."""

    files = FILES
    program = PROGRAM
    entry = ENTRY
    measure = flag("Also run it on seeded arguments, and count what the lanes do.")
    lanes = chosen(POSITIVE, 256, "N", "Number of lanes that --measure runs; default 256.")
    seed = chosen(NATURAL, 0, "N", "Seed of the arguments of --measure; default 0.")
    everything = flag(
        "Also list all live values, and the live registers of each line.", "-a", "--all"
    )
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


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
    jobs = JOBS


class DiffOptions(VerbOptions, verb="diff"):
    """Compare two shaders or two folders; exit with 1 if they differ."""

    files = arguments(READ, "A B")
    as_json = JSON
    schema = SCHEMA
    brief = flag("Print only the verdict, in one line; the default for folders.", "--summary")
    unified = one(
        NATURAL, "N", "Unified diff of the code with N lines of context; default 3.", "-U"
    )
    side_by_side = flag("Show the code in two columns.", "-y")
    reproducible = flag(
        "Two builds that ought to be equal: which bytes differ, why, and whether they are equal"
        " after strip."
    )
    format = one(
        choice("text", "json", "markdown"), None,
        "Output format; default text. json is the same as --json; markdown is a report of metrics,"
        " for a comment on a change.",
    )  # fmt: skip
    cost = COST
    only = ONLY_CATEGORY
    ignore = IGNORED_CATEGORY
    jobs = JOBS
    output = OUTPUT


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
    jobs = JOBS
    output = OUTPUTS


class ReportOptions(VerbOptions, verb="report"):
    """Make a page of each shader: bytes, fields, listing and values side by side."""

    files = FILES
    diff = flag("Make a page of the difference of two shaders, or of two folders.", "--diff")
    only = ONLY_CATEGORY
    ignore = IGNORED_CATEGORY
    jobs = JOBS
    output = OUTPUTS


class FromYamlOptions(VerbOptions, verb="from-yaml"):
    """Convert YAML or JSON back to a shader."""

    files = FILES
    jobs = JOBS
    output = OUTPUTS


LIMITS = several(
    TEXT, "NAME=VALUE",
    "Set a limit on unpacking: unpacked (bytes in all), entries, layers or file_size (bytes of an"
    " entry); with K, M or G after the number.",
    "--limit",
)  # fmt: skip


class FindOptions(VerbOptions, verb="find"):
    """Find shaders inside larger files: packs, archives, executables, dumps."""

    files = FILES
    as_json = JSON
    schema = SCHEMA
    extract = one(
        WRITTEN, "FOLDER", "Write the shaders found to this folder, named by file and offset."
    )
    template = one(
        TEXT, "TEMPLATE",
        "Names of the files of --extract, such as {{hash}}.{{stage}}.{{format}}; also profile,"
        " name, offset, path and file, and {{hash:16}} for the first 16 characters.",
    )  # fmt: skip
    unique = flag("List shaders with the same bytes once, with the number of copies.")
    group_by = one(
        choice("program", "shape", "interface"), None,
        "Group shaders with the same code, code of the same shape, or the same interface.",
    )  # fmt: skip
    limits = LIMITS
    jobs = JOBS
    output = OUTPUT


class PutBackOptions(VerbOptions, verb="put-back"):
    """Put edited shaders into a copy of the file that find --extract wrote them from.

    A file is matched by the name that find gave it, by the hash that its name begins with, or
    given as PATH=FILE, with a path that find prints.
    """

    files = arguments(READ, "ORIGINAL CHANGED...")
    limits = LIMITS
    output = required(WRITTEN, "COPY", "The copy.", "-o")


class RunOptions(VerbOptions, verb="run"):
    """Run a shader on arrays."""

    file = FILE
    groups = GROUPS
    count = one(
        NATURAL, "N",
        "Number of vertices, primitives or patches, for a shader without inputs.",
    )  # fmt: skip
    bind = BIND
    sets = SETS
    output = several(
        WRITTEN, "[NAME=]PATH",
        "Write a result as .npy, .json, .exr or image, else as raw bytes; - is standard output.",
        "-o",
    )  # fmt: skip
    in_place = flag("Write results back to the bound files.", "-i")
    engine = ENGINE
    program = PROGRAM
    entry = ENTRY
    precision = PRECISION
    interfaces = INTERFACES
    lengths = LENGTHS
    constants = CONSTANTS
    group = GROUP
    wave_size = WAVE_SIZE
    samples = SAMPLES
    budget = BUDGET
    sources = OptionGroup(SourceOptions)
    as_json = JSON
    schema = SCHEMA


class RenderOptions(VerbOptions, verb="render"):
    """Render an image with a pixel shader: full screen, or a mesh."""

    file = ONE_FILE
    vs = one(
        SHADER, "FILE",
        "Vertex shader for a mesh; --bind and --set vs:NAME=… apply to it alone.",
    )  # fmt: skip
    ps = one(SHADER, "FILE", "Pixel shader.")
    fragment = one(
        READ, "FILE",
        "Fixed fragment stage of the Nintendo 3DS, as YAML or JSON, in place of a pixel shader.",
    )  # fmt: skip
    texture = several(
        BOUND, "UNIT=FILE", "Image of a texture unit of --fragment: 0=wall.png, 1=lights.png,mips."
    )
    groups = GROUPS
    scene = OptionGroup(SceneOptions)
    output = one(
        WRITTEN, "PATH",
        "Image, or .npy, .json or .exr with the values; a folder for a folder of shaders;"
        " - writes a PNG to standard output. Required without --history.",
        "-o",
    )  # fmt: skip
    again = WATCH
    bind = BIND
    sets = SETS
    history = one(
        TEXT, "X,Y",
        "Print the fragments that reach a pixel of a mesh, in the order of drawing, with what the"
        " shader outputs, the values before and after, and the test that rejects a fragment.",
    )  # fmt: skip
    target = one(
        TEXT, "SEMANTIC", "Output to write, or depth; default the first colour.",
        complete="targets",
    )  # fmt: skip
    flip = flag("Flip the image vertically.")
    srgb = flag("Encode linear colours as sRGB.")
    alpha = flag("Keep the alpha channel.")
    bits = chosen(INTEGER, 8, "N", "Bits of a component in a PNG: 8 or 16.")
    engine = ENGINE
    program = PROGRAM
    budget = BUDGET
    sources = OptionGroup(SourceOptions)
    as_json = flag("Print the history as JSON.", "--json")
    schema = SCHEMA
    jobs = JOBS


class DebugOptions(VerbOptions, verb="debug"):
    """Trace one thread line by line; exit with 1 if there are findings."""

    file = ONE_FILE
    thread = one(TEXT, "X,Y,Z", "Thread, or pixel x,y; default 0.")
    groups = GROUPS
    bind = BIND
    sets = SETS
    breaks = several(
        TEXT, "WHERE",
        "Show only these places, or stop there with --step: LINE of the listing, FILE:LINE of"
        " a source, an opcode, a register written, finding, 'r0.x > 3', 'LINE if r0.x > 3'.",
        "--break",
    )  # fmt: skip
    watch = several(
        TEXT, "REGISTER", "Show only writes to r0, r0.xy, u1[3] or a variable of the source."
    )
    against = one(
        SHADER, "FILE",
        "Another version of the shader, run with the same options: print the first step that"
        " differs, and exit with 1 if there is one.",
    )  # fmt: skip
    lenses = several(
        TEXT, "PLACE@LINE",
        "Record a register, value or variable after a line in every pixel or thread: its range,"
        " and with --html a picture; r0.x@47#3 is iteration 3 of the loop around the line.",
        "--lens",
    )  # fmt: skip
    step = flag("Step through the trace, forwards and backwards.")
    no_trace = flag("Show only findings.")
    every = flag("Show every iteration of long loops.", "--all")
    html = one(WRITTEN, "PATH", "Write a page with bytes, fields, listing and the trace.")
    serve = flag(
        "Serve that page on this machine until Ctrl-C: a click on a pixel runs and shows its trace."
    )
    port = one(NATURAL, "N", "Port of --serve; default a free one.")
    findings = one(
        TEXT, "KIND,…",
        "Report only these: out-of-bounds, race, barrier, nan, infinity, uninitialised; or"
        " none, which is quicker for a pixel, since only its quad is run.",
        complete="findings", commas=True,
    )  # fmt: skip
    vs = one(SHADER, "FILE", "Vertex shader for a mesh, as in render.")
    ps = one(SHADER, "FILE", "Pixel shader; the same as FILE.")
    scene = OptionGroup(SceneOptions)
    program = PROGRAM
    budget = BUDGET
    sources = OptionGroup(SourceOptions)
    as_json = JSON
    schema = SCHEMA
    output = OUTPUT


class ProveOptions(VerbOptions, verb="prove"):
    """Run two shaders on the same seeded arguments; exit with 1 if a lane differs."""

    files = arguments(READ, "A [B]")
    rounds = chosen(POSITIVE, 16, "N", "Rounds of arguments; default 16.")
    lanes = chosen(POSITIVE, 256, "N", "Lanes of a round: threads, vertices, pixels; default 256.")
    seed = chosen(NATURAL, 0, "N", "Seed of the arguments; default 0.")
    ulp = chosen(
        NATURAL, 0, "N", "Distance of floats that counts as equal, in units in the last place."
    )
    engine = ENGINE
    program = PROGRAM
    entry = ENTRY
    constants = CONSTANTS
    budget = one(
        POSITIVE, "N",
        "Maximum number of loop iterations in a round; default a million, or 16,384 in lockstep.",
    )  # fmt: skip
    sources = OptionGroup(SourceOptions)
    as_json = JSON
    schema = SCHEMA
    output = OUTPUT


class CatalogScanOptions(VerbOptions, verb="catalog scan"):
    """Read the shaders in folders, archives and files into a catalogue."""

    paths = arguments(READ, "PATH...")
    to = required(WRITTEN, "CATALOG", "Folder of the catalogue; made if it does not exist.")
    quick = flag(
        "Leave out what takes long: findings, operations, shapes and sketches of the code, so that"
        " similar cannot be asked."
    )
    again = flag("Read files again that have not changed.", "--all")
    limits = several(
        TEXT, "NAME=VALUE",
        "Limit of unpacking, for each file: unpacked, file_size (bytes, also as 512M or 4G),"
        " entries or layers.",
        "--limit",
    )  # fmt: skip
    jobs = one(POSITIVE, "N", "Number of processes; default the number of processors.", "-j")
    as_json = JSON


class CatalogQueryOptions(VerbOptions, verb="catalog query"):
    """Answer a question in SQL, which can read nothing but the catalogue."""

    catalog = argument(READ, "CATALOG")
    sql = argument(TEXT, "SQL")
    as_json = JSON
    csv = flag("Print CSV.", "--csv")
    parquet = one(WRITTEN, "FILE", "Write the rows to a Parquet file.")
    output = OUTPUT


class CatalogShowOptions(VerbOptions, verb="catalog show"):
    """Print a summary of a catalogue, or the columns of its tables."""

    catalog = argument(READ, "CATALOG")
    tables = flag("Print the tables and their columns.")
    as_json = JSON
    output = OUTPUT


class CatalogDiffOptions(VerbOptions, verb="catalog diff"):
    """Compare two catalogues, of two builds; exit with 1 if they differ."""

    old = argument(READ, "OLD")
    new = argument(READ, "NEW")
    as_json = JSON
    output = OUTPUT


class CatalogSimilarOptions(VerbOptions, verb="catalog similar"):
    """Print the shaders of a catalogue that are most like FILE, and what they have in common."""

    catalog = argument(READ, "CATALOG")
    file = argument(SHADER, "FILE")
    most = chosen(POSITIVE, 10, "N", "Number of shaders to print; default 10.")
    prove = flag("Run the first three and FILE on the same seeded arguments, as prove does.")
    as_json = JSON
    output = OUTPUT


class CatalogExportOptions(VerbOptions, verb="catalog export"):
    """Write each shader of a catalogue to a file, once."""

    catalog = argument(READ, "CATALOG")
    output = required(WRITTEN, "FOLDER", "Folder to write to.", "-o")
    where = chosen(
        TEXT, "true", "SQL", "Condition on the table of shaders: \"stage = 'pixel'\"; default all."
    )
    template = one(
        TEXT, "TEMPLATE",
        "Names of the files; default {{hash}}.{{stage}}.{{format}}. Fields as in find.",
    )  # fmt: skip
    limits = several(TEXT, "NAME=VALUE", "Limit of unpacking, as in scan.", "--limit")


class CatalogCompactOptions(VerbOptions, verb="catalog compact"):
    """Join the runs of a catalogue, without what has left it."""

    catalog = argument(READ, "CATALOG")


class CacheOptions(VerbOptions, verb="cache"):
    """Show the cache of machine code; with FILE, compile every program into it."""

    files = arguments(READ, "[FILE...]", required=False)
    clear = flag("Remove everything in it.")
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


class CompletionOptions(VerbOptions, verb="completion"):
    """Print the completion script for a shell."""

    shell = argument(choice("bash", "zsh", "fish"))


def shaders() -> list[str]:
    """Return the names of arguments and options that are one shader."""
    found = (
        name
        for options in (*VERBS.values(), SceneOptions)
        for name, each in declared(options).items()
        if isinstance(each, VerbArgument | VerbOption) and each.kind is SHADER
    )
    return list(dict.fromkeys(found))


VERBS = {each.verb: each for each in VerbOptions.__subclasses__() if each.verb}

# What the verbs have in common whose names begin with the same word.
VERB_GROUPS: Mapping[str, str] = {
    "catalog": "Keep what is known of many shaders in a folder, and ask it questions in SQL.",
}

# The verbs by task, as `unshade --help` lists them.
TASKS: Mapping[str, tuple[str, ...]] = {
    "Read": (
        "info", "identify", "parts", "dis", "decompile", "reflect", "hexdump", "report", "extract",
        "headers",
    ),
    "Change": ("asm", "sign", "strip", "link", "pack", "to-yaml", "from-yaml", "put-back"),
    "Check and compare": ("verify", "check", "audit", "cost", "diff", "prove"),
    "Run and draw": ("run", "render", "debug"),
    "Find": ("find", "catalog"),
    "Set up": ("cache", "completion"),
}  # fmt: skip
