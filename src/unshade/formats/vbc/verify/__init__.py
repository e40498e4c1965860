"""Verification of VBC files: the rules, and `verify`, which checks them.

    limits     each record alone: limits of the compiler, of Vega's loader
    modules    the reflection against the modules

The modules are verified by the rules of SPIR-V, for Vulkan 1.2 unless another target is given.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ....errors import Diagnostic, FormatError, LimitError
from ....rule import Findings, is_finding
from ..older import OlderLayout
from ..parts import HEAD, called
from ..records import SubpassForm
from ..spans import fields
from ..spelling import NAMES
from .limits import check_limits
from .modules import check_modules
from .rules import RULES

if TYPE_CHECKING:
    from ..shader import Vbc

__all__ = ["ENVIRONMENT", "RULES", "contract", "reading", "verify"]

ENVIRONMENT = "vulkan1.2"  # that vslc compiles for
COUNTS = {
    "inputs": "input_count",
    "outputs": "output_count",
    "bindings": "binding_count",
    "uniform.members": "uniform",
    "subpasses": "subpass_count",
}


def reading(file: "Vbc") -> list[Diagnostic]:
    """Return the findings made while reading."""
    found = Findings(RULES)
    _check_read(file, found)
    return found.diagnostics(_places(file)) if found.found else []


def verify(file: "Vbc", target: str = ENVIRONMENT, **options: bool) -> list[Diagnostic]:
    """Return the violations of the file's rules, and of a target's rules for its modules.

    Args:
        file: The file.
        target: The environment that the modules are for.
        options: Options of the verification of the modules.
    """
    found = Findings(RULES)
    _check_read(file, found)
    _check_contract(file, found)
    own = found.diagnostics(_places(file)) if found.found else []
    if file.older is not None:
        own = [each for each in own if each.code not in _unstated(file.older)]
    return [*own, *_of_modules(file, target, options)]


def contract(file: "Vbc") -> list[Diagnostic]:
    """Return the findings that keep Vega from using a file, or make it misread it."""
    found = Findings(RULES)
    _check_contract(file, found)
    return [each for each in found.diagnostics(_places(file)) if is_finding(each)]


def _check_contract(file: "Vbc", found: Findings) -> None:
    check_limits(file.record, file.form, found)
    check_modules(file.record, file.form, file.modules(), found)


def _unstated(layout: OlderLayout) -> set[str]:
    """Return the rules about data that an older layout lacks, or that its compiler left out."""
    found = set()
    if layout.numbers:
        found |= {"vbc.texel", "vbc.binding-mismatch"}
    if not layout.stages:
        found |= {"vbc.mask-mismatch"}
    if not layout.type:
        found |= {"vbc.base-type", "vbc.dimensions", "vbc.uniform-mismatch"}
    return found


def _check_read(file: "Vbc", found: Findings) -> None:
    for name in NAMES:
        if getattr(file.record, name):
            module = file.module(name)
            if isinstance(module, FormatError | LimitError):
                problem = module.problem if isinstance(module, FormatError) else str(module)
                found.add("vbc.module", problem, name)
    if file.older is not None:
        message = f"the layout is that of {file.older.commits} ({file.older.date})"
        found.add("vbc.layout", message, "VBC.version")
    if file.form is not SubpassForm.DOCUMENTED and file.record.subpasses:
        message = f"subpass inputs are objects of {file.form.name}"
        found.add("vbc.subpass-form", message, "VBC.subpasses")


def _places(file: "Vbc") -> Callable[[str], int | None]:
    """Return a function for the offsets of fields and records, by their public paths."""
    offsets: dict[str, int] = {}
    for each in fields(file.record, file.form, file.older):
        inner = called(each.path)
        while inner:  # a record begins where its first field does
            offsets.setdefault(inner, each.offset)
            inner = inner[: max(inner.rfind("."), inner.rfind("["), 0)]
    for table, count in COUNTS.items():  # an empty table is where its number is
        offsets.setdefault(f"{HEAD}.{table}", offsets[f"{HEAD}.{count}"])
    return offsets.get


def _of_modules(file: "Vbc", target: str, options: Mapping[str, bool]) -> list[Diagnostic]:
    """Return the findings of the modules, with offsets and paths in the file."""
    data = file.to_bytes()
    at = len(data) - sum(len(getattr(file.record, name)) for name in NAMES)
    found = []
    modules = file.modules()
    for name in NAMES:
        if name in modules:
            found += [each.within(at, name) for each in modules[name].verify(target, **options)]
        at += len(getattr(file.record, name))
    return found
