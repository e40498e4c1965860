"""Every verb of the command line: its help, arguments and options, in modules by task.

Declarations only (declarations.py). The function of a verb is `run` in the module of the same name
in verbs/, which is imported when the verb is called. `jobs`, `again` and `schema` concern the call
of the function, which does not read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from ..declarations import SHADER, VerbArgument, VerbOption, VerbOptions, declared
from . import changing, checking, finding, reading, running, setting_up
from .changing import (
    AsmOptions,
    EditOptions,
    FromYamlOptions,
    LinkOptions,
    PackOptions,
    PutBackOptions,
    SignOptions,
    StripOptions,
    ToYamlOptions,
    TranslateOptions,
)
from .checking import (
    AuditOptions,
    CheckOptions,
    CostOptions,
    DiffOptions,
    ProveOptions,
    VerifyOptions,
)
from .finding import (
    CatalogCompactOptions,
    CatalogDiffOptions,
    CatalogExportOptions,
    CatalogQueryOptions,
    CatalogScanOptions,
    CatalogShowOptions,
    CatalogSimilarOptions,
    FindOptions,
)
from .reading import (
    DecompileOptions,
    DisOptions,
    ExtractOptions,
    HeadersOptions,
    HexdumpOptions,
    IdentifyOptions,
    InfoOptions,
    PartsOptions,
    ReflectOptions,
    ReportOptions,
)
from .running import DebugOptions, RenderOptions, RunOptions, SceneOptions
from .setting_up import CacheOptions, CompletionOptions
from .shared import CompileOptions, SourceOptions

__all__ = [
    "TASKS", "VERBS", "VERB_GROUPS", "AsmOptions", "AuditOptions", "CacheOptions",
    "CatalogCompactOptions", "CatalogDiffOptions", "CatalogExportOptions", "CatalogQueryOptions",
    "CatalogScanOptions", "CatalogShowOptions", "CatalogSimilarOptions", "CheckOptions",
    "CompileOptions", "CompletionOptions", "CostOptions", "DebugOptions", "DecompileOptions",
    "DiffOptions", "DisOptions", "EditOptions", "ExtractOptions", "FindOptions",
    "FromYamlOptions", "HeadersOptions", "HexdumpOptions", "IdentifyOptions", "InfoOptions",
    "LinkOptions", "PackOptions",
    "PartsOptions", "ProveOptions", "PutBackOptions", "ReflectOptions", "RenderOptions",
    "ReportOptions", "RunOptions", "SceneOptions", "SignOptions", "SourceOptions", "StripOptions",
    "ToYamlOptions", "TranslateOptions", "VerifyOptions", "shaders",
]  # fmt: skip

# What the verbs have in common whose names begin with the same word.
VERB_GROUPS: Mapping[str, str] = {
    "catalog": "Keep what is known of many shaders in a folder, and ask it questions in SQL.",
}


def _verbs(module: ModuleType) -> dict[str, type[VerbOptions]]:
    """Return the verbs that a module declares, in its order."""
    found = (each for each in vars(module).values() if isinstance(each, type))
    return {
        each.verb: each
        for each in found
        if issubclass(each, VerbOptions) and each.verb and each.__module__ == module.__name__
    }


BY_TASK = {
    "Read": _verbs(reading), "Change": _verbs(changing), "Check and compare": _verbs(checking),
    "Run and draw": _verbs(running), "Find": _verbs(finding), "Set up": _verbs(setting_up),
}  # fmt: skip
VERBS = {name: each for verbs in BY_TASK.values() for name, each in verbs.items()}

# The words of `unshade --help` by task: names of verbs, and the common ones of groups.
TASKS: Mapping[str, tuple[str, ...]] = {
    task: tuple(dict.fromkeys(name.split()[0] for name in verbs)) for task, verbs in BY_TASK.items()
}


def shaders() -> list[str]:
    """Return the names of arguments and options that are one shader."""
    found = (
        name
        for options in (*VERBS.values(), SceneOptions)
        for name, each in declared(options).items()
        if isinstance(each, VerbArgument | VerbOption) and each.kind is SHADER
    )
    return list(dict.fromkeys(found))
