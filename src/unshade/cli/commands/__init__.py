"""Every verb of the command line: its help, arguments and options, in modules by task.

Declarations only (declarations.py). The function of a verb is `run` in the module of the same name
in verbs/, which is imported when the verb is called. `jobs`, `again` and `schema` concern the call
of the function, which does not read them. A module is imported when one of its verbs is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from ...lazy import attributes
from ..declarations import VerbOptions

if TYPE_CHECKING:
    from .changing import (
        AsmOptions,
        EditOptions,
        FromYamlOptions,
        LinkOptions,
        PackOptions,
        PutBackOptions,
        ReduceOptions,
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
        ExplainOptions,
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
    "TASK_MODULES", "AsmOptions", "AuditOptions", "CacheOptions",
    "CatalogCompactOptions", "CatalogDiffOptions", "CatalogExportOptions", "CatalogQueryOptions",
    "CatalogScanOptions", "CatalogShowOptions", "CatalogSimilarOptions", "CheckOptions",
    "CompileOptions", "CompletionOptions", "CostOptions", "DebugOptions", "DecompileOptions",
    "DiffOptions", "DisOptions", "EditOptions", "ExplainOptions", "ExtractOptions", "FindOptions",
    "FromYamlOptions", "HeadersOptions", "HexdumpOptions", "IdentifyOptions", "InfoOptions",
    "LinkOptions", "PackOptions",
    "PartsOptions", "ProveOptions", "PutBackOptions", "ReduceOptions",
    "ReflectOptions", "RenderOptions",
    "ReportOptions", "RunOptions", "SceneOptions", "SignOptions", "SourceOptions", "StripOptions",
    "ToYamlOptions", "TranslateOptions", "VerifyOptions", "options_of", "verbs_of",
]  # fmt: skip

_HOME = {
    "AsmOptions": ".changing",
    "AuditOptions": ".checking",
    "CacheOptions": ".setting_up",
    "CatalogCompactOptions": ".finding",
    "CatalogDiffOptions": ".finding",
    "CatalogExportOptions": ".finding",
    "CatalogQueryOptions": ".finding",
    "CatalogScanOptions": ".finding",
    "CatalogShowOptions": ".finding",
    "CatalogSimilarOptions": ".finding",
    "CheckOptions": ".checking",
    "CompileOptions": ".shared",
    "CompletionOptions": ".setting_up",
    "CostOptions": ".checking",
    "DebugOptions": ".running",
    "DecompileOptions": ".reading",
    "DiffOptions": ".checking",
    "DisOptions": ".reading",
    "EditOptions": ".changing",
    "ExplainOptions": ".reading",
    "ExtractOptions": ".reading",
    "FindOptions": ".finding",
    "FromYamlOptions": ".changing",
    "HeadersOptions": ".reading",
    "HexdumpOptions": ".reading",
    "IdentifyOptions": ".reading",
    "InfoOptions": ".reading",
    "LinkOptions": ".changing",
    "PackOptions": ".changing",
    "PartsOptions": ".reading",
    "ProveOptions": ".checking",
    "PutBackOptions": ".changing",
    "ReduceOptions": ".changing",
    "ReflectOptions": ".reading",
    "RenderOptions": ".running",
    "ReportOptions": ".reading",
    "RunOptions": ".running",
    "SceneOptions": ".running",
    "SignOptions": ".changing",
    "SourceOptions": ".shared",
    "StripOptions": ".changing",
    "ToYamlOptions": ".changing",
    "TranslateOptions": ".changing",
    "VerifyOptions": ".checking",
}

__getattr__ = attributes(__name__, _HOME)

# The modules by task; `options_of` asks them in this order.
TASK_MODULES: Mapping[str, str] = {
    "Read": "reading", "Change": "changing", "Check and compare": "checking",
    "Run and draw": "running", "Find": "finding", "Set up": "setting_up",
}  # fmt: skip


def verbs_of(name: str) -> dict[str, type[VerbOptions]]:
    """Return the verbs that a module declares, in its order."""
    module = import_module(f".{name}", __name__)
    found = (each for each in vars(module).values() if isinstance(each, type))
    return {
        each.verb: each
        for each in found
        if issubclass(each, VerbOptions) and each.verb and each.__module__ == module.__name__
    }


def options_of(verb: str) -> type[VerbOptions] | None:
    """Return the options of a verb; None if there is no such verb."""
    for name in TASK_MODULES.values():
        found = verbs_of(name).get(verb)
        if found is not None:
            return found
    return None
