"""Verbs that run a shader, and draw with it."""

from __future__ import annotations

from ..declarations import (
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
    OptionGroup,
    VerbOptions,
    argument,
    choice,
    chosen,
    flag,
    one,
    optional,
    several,
)
from .shared import (
    CONSTANTS,
    ENGINE,
    ENTRY,
    GROUP,
    INTERFACES,
    JOBS,
    JSON,
    LENGTHS,
    OUTPUT,
    PRECISION,
    PROGRAM,
    SAMPLES,
    SCHEMA,
    WATCH,
    WAVE_SIZE,
    SourceOptions,
)

FILE = argument(SHADER, "FILE")
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
BUDGET = one(POSITIVE, "N", "Maximum number of loop iterations.")
GROUPS = one(TEXT, "X,Y,Z", "Thread groups per axis; also XxYxZ.")


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


ONE_FILE = optional(SHADER, "[FILE]")


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
        "Print the fragments that reach a pixel of a mesh or frame, in the order of drawing, with"
        " what the shader outputs, the values before and after, and the test that rejects one.",
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
        "Show only these places, or stop there with --step: LINE as `dis --lines` numbers it,"
        " FILE:LINE of a source, an opcode, a register written, finding, 'r0.x > 3',"
        " 'LINE if r0.x > 3'.",
        "--break",
    )  # fmt: skip
    watch = several(
        TEXT, "REGISTER", "Show only writes to r0, r0.xy, u1[3] or a variable of the source."
    )
    against = one(
        SHADER, "FILE",
        "Another version of the shader, run with the same options, or jit or fast for the code that"
        " the compiled engine makes of this one: print the first step that differs, and exit with"
        " 1 if there is one.",
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
