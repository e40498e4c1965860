"""The documentation's page about the container and every part that is typed."""

from importlib import import_module
from pkgutil import iter_modules

from ...isa.markdown import drawing
from ...wire.schema import markdown
from . import container, parts
from .parts.kind import RecordKind


def page() -> str:
    """Return the page."""
    found = ["# The DirectX container", "", drawing(container.__doc__)]
    found += [markdown(container.Header), "## Parts", ""]
    names: dict[str, list[str]] = {}
    for name, module in parts.ALIASES.items():
        names.setdefault(module, []).append(name)
    for module in sorted(m.name for m in iter_modules(parts.__path__)):
        loaded = import_module(f"{parts.__name__}.{module}")
        if not hasattr(loaded, "PART"):
            continue
        own = [module.upper()] if len(module) == 4 else []  # else named by its aliases alone
        title = ", ".join(own + names.get(module, []))
        found += [f"## {title}", "", drawing(loaded.__doc__)]
        if isinstance(loaded.PART, RecordKind):
            found.append(markdown(loaded.PART.record))
        else:
            found += ["See [the tokenized program format](tpf.md).", ""]
    return "\n".join(found)
