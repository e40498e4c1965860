"""unshade: open, inspect, edit and run compiled shaders.

`__all__` is the whole public API. Names are imported on first use: `import unshade` alone imports
no format.
"""

import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

_STARTED = time.time_ns()  # when the first module was imported (vm/jit/cache/module_digests.py)

if TYPE_CHECKING:
    from . import run
    from .analysis.audit import Disclosure, audit
    from .analysis.cost import cost
    from .analysis.diff import Diff, diff
    from .analysis.explanations import Explanation, explain
    from .analysis.headers import headers
    from .analysis.pipelines import Pipeline
    from .analysis.reducing import reduce
    from .api import assemble, from_data, link, loads, open, pack
    from .archives import find, put_back
    from .compilers import compile, recompile
    from .errors import (
        AssembleError,
        CompileError,
        DamagedError,
        Diagnostic,
        EncodeError,
        FileError,
        FormatError,
        LimitError,
        PartError,
        ResultError,
        Severity,
        UnshadeError,
        UnsupportedError,
        UsageError,
    )
    from .formats import identify
    from .formats.dxcontainer import DxContainer
    from .formats.shbin import Shbin
    from .formats.sksl import SkslShader
    from .formats.sodb import Sodb
    from .formats.spirv import SpirvModule
    from .formats.vbc import Vbc
    from .isa.source import Source
    from .limits import Limits
    from .model import Reflection
    from .overview import Info, info
    from .program import EntryPoint, Instruction, Program
    from .run import functions, kernel, prove
    from .search import Found
    from .shader import Shader
    from .wire.spans import Span
    from .yaml import from_yaml, to_yaml

__version__ = "0.1.0"  # pyproject.toml, the command line and catalogues have it from here

_HOME = {
    "AssembleError": ".errors",
    "CompileError": ".errors",
    "DamagedError": ".errors",
    "Diagnostic": ".errors",
    "Diff": ".analysis.diff",
    "Disclosure": ".analysis.audit",
    "DxContainer": ".formats.dxcontainer",
    "EncodeError": ".errors",
    "EntryPoint": ".program",
    "Explanation": ".analysis.explanations",
    "FileError": ".errors",
    "FormatError": ".errors",
    "Found": ".search",
    "Info": ".overview",
    "Instruction": ".program",
    "LimitError": ".errors",
    "Limits": ".limits",
    "PartError": ".errors",
    "Pipeline": ".analysis.pipelines",
    "Program": ".program",
    "Reflection": ".model",
    "ResultError": ".errors",
    "Severity": ".errors",
    "Shader": ".shader",
    "Shbin": ".formats.shbin",
    "SkslShader": ".formats.sksl",
    "Source": ".isa.source",
    "Span": ".wire.spans",
    "SpirvModule": ".formats.spirv",
    "UnshadeError": ".errors",
    "UnsupportedError": ".errors",
    "UsageError": ".errors",
    "Sodb": ".formats.sodb",
    "Vbc": ".formats.vbc",
    "assemble": ".api",
    "audit": ".analysis.audit",
    "compile": ".compilers",
    "cost": ".analysis.cost",
    "diff": ".analysis.diff",
    "explain": ".analysis.explanations",
    "find": ".archives",
    "from_data": ".api",
    "from_yaml": ".yaml",
    "functions": ".run",
    "headers": ".analysis.headers",
    "identify": ".formats",
    "info": ".overview",
    "kernel": ".run",
    "link": ".api",
    "loads": ".api",
    "open": ".api",
    "pack": ".api",
    "prove": ".run",
    "put_back": ".archives",
    "recompile": ".compilers",
    "reduce": ".analysis.reducing",
    "to_yaml": ".yaml",
}

__all__ = [
    "AssembleError",
    "CompileError",
    "DamagedError",
    "Diagnostic",
    "Diff",
    "Disclosure",
    "DxContainer",
    "EncodeError",
    "EntryPoint",
    "Explanation",
    "FileError",
    "FormatError",
    "Found",
    "Info",
    "Instruction",
    "LimitError",
    "Limits",
    "PartError",
    "Pipeline",
    "Program",
    "Reflection",
    "ResultError",
    "Severity",
    "Shader",
    "Shbin",
    "SkslShader",
    "Sodb",
    "Source",
    "Span",
    "SpirvModule",
    "UnshadeError",
    "UnsupportedError",
    "UsageError",
    "Vbc",
    "assemble",
    "audit",
    "compile",
    "cost",
    "diff",
    "explain",
    "find",
    "from_data",
    "from_yaml",
    "functions",
    "headers",
    "identify",
    "info",
    "kernel",
    "link",
    "loads",
    "open",
    "pack",
    "prove",
    "put_back",
    "recompile",
    "reduce",
    "run",
    "to_yaml",
]


if not TYPE_CHECKING:  # a type checker would accept any name
    from .lazy import attributes

    _named = attributes(__name__, _HOME)

    def __getattr__(name: str) -> Any:
        if name not in _HOME and name.isidentifier() and name[0] != "_":
            from importlib.util import find_spec

            if find_spec(f".{name}", __name__):  # type checkers accept submodules, too
                return import_module(f".{name}", __name__)
        return _named(name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
