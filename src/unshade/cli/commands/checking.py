"""Verbs that check shaders and compare them."""

from __future__ import annotations

from ..declarations import (
    NATURAL,
    POSITIVE,
    READ,
    TEXT,
    GeneratedOptions,
    OptionGroup,
    OptionValue,
    VerbOptions,
    arguments,
    choice,
    chosen,
    flag,
    one,
    several,
)
from .shared import (
    CONSTANTS,
    COST,
    ENGINE,
    ENTRY,
    ENTRY_OF_SOURCE,
    FILES,
    IGNORED_CATEGORY,
    JOBS,
    JSON,
    ONLY_CATEGORY,
    OUTPUT,
    PROGRAM,
    SCHEMA,
    STAGE_OF_SOURCE,
    CompileOptions,
    SourceOptions,
)


class VerifyOptions(VerbOptions, verb="verify"):
    """Check every rule; exit with 1 if there are findings."""

    files = arguments(READ, "FILE...", required=False)
    of_formats: GeneratedOptions[object] = GeneratedOptions("verifier")
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    as_json = JSON
    schema = SCHEMA
    format = one(
        choice("text", "json", "junit", "sarif", "github"), None,
        "Output format; default text. json is the same as --json; github annotates the files of a"
        " change in a workflow.",
    )  # fmt: skip
    explain = one(TEXT, "CODE", "Explain this rule and exit.", complete="rules")
    rules = flag("List all rules and exit.")
    jobs = JOBS
    output = OUTPUT


def _stages() -> list[str]:
    from ...model import Stage

    return [str(each) for each in Stage]


class CheckOptions(VerbOptions, verb="check"):
    """Check shaders against budgets, or pipelines; exit with 1 if a limit or rule is broken."""

    files = arguments(READ, "FILE...", required=False)
    pipeline = flag("Check the files as the stages of one pipeline, in place of budgets.")
    pair = several(
        TEXT, "RULE",
        "Check pipelines of the files that match globs, such as 'vs/*.cso=ps/*.cso': those whose"
        " wildcards stand for the same; with one glob, each file by itself; may be repeated.",
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
    growth = one(
        NATURAL, "PERCENT",
        "Percent by which bytes and instructions may exceed those of --baseline.", "--max-growth",
    )  # fmt: skip
    cost = flag("With --baseline, also list changed counts of `unshade cost`.")
    everything = flag("Also list shaders within their limits.", "-a", "--all")
    sources = OptionGroup(CompileOptions)
    entry = ENTRY_OF_SOURCE
    as_json = JSON
    schema = SCHEMA
    format = one(
        choice("text", "json", "junit", "sarif", "github", "markdown"), None,
        "Output format; default text. json is the same as --json; markdown is of budgets"
        " and changes.",
    )  # fmt: skip
    jobs = JOBS
    output = OUTPUT


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
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


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
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


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
    sources = OptionGroup(CompileOptions)
    stage = STAGE_OF_SOURCE
    entry = ENTRY_OF_SOURCE
    jobs = JOBS
    output = OUTPUT


class ProveOptions(VerbOptions, verb="prove"):
    """Run two shaders on the same seeded arguments; exit with 1 if a lane differs."""

    files = arguments(READ, "A [B]")
    rounds = one(
        POSITIVE, "N",
        "Rounds of arguments; default 16, or 64 if lanes differ in their position alone.",
    )  # fmt: skip
    lanes = one(
        POSITIVE, "N",
        "Lanes of a round: threads, vertices, pixels; default 256, or 64 in 64 rounds.",
    )  # fmt: skip
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
