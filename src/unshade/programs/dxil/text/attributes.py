"""Attributes of functions, parameters and results, as LLVM 3.7 prints them."""

from ..model.values import AttributeGroup, AttributeList, FunctionAttribute
from ..tables.llvm_enumerations import ATTRIBUTES

__all__ = ["AttributeKey", "attributes_at", "attributes_text", "function_attributes"]

# Those without value come first, in this order; then those with one, then strings.
_ORDER = {
    name: position
    for position, name in enumerate(
        [
            "alwaysinline",
            "builtin",
            "byval",
            "inalloca",
            "cold",
            "convergent",
            "inlinehint",
            "inreg",
            "jumptable",
            "minsize",
            "naked",
            "nest",
            "noalias",
            "nobuiltin",
            "nocapture",
            "noduplicate",
            "noimplicitfloat",
            "noinline",
            "nonlazybind",
            "nonnull",
            "noredzone",
            "noreturn",
            "nounwind",
            "optsize",
            "optnone",
            "readnone",
            "readonly",
            "argmemonly",
            "returned",
            "returns_twice",
            "signext",
            "ssp",
            "sspreq",
            "sspstrong",
            "safestack",
            "sret",
            "sanitize_address",
            "sanitize_thread",
            "sanitize_memory",
            "uwtable",
            "zeroext",
        ]
    )
}
AttributeKey = tuple[tuple[int, int, str, str], ...]


def _key(attribute: FunctionAttribute) -> tuple[int, int, str, str]:
    """Return the sort key of an attribute: class, number, name, value."""
    key, value = attribute.key, attribute.value
    if isinstance(key, str):
        return 2, 0, key, str(value) if value is not None else ""
    name = ATTRIBUTES[key]
    if isinstance(value, int):
        return 1, value, name, str(value)
    return 0, _ORDER.get(name, len(_ORDER) + key), name, ""


def attributes_at(attributes: AttributeList | None, index: int) -> AttributeKey:
    """Return the attributes of one place in LLVM's order; equal sets compare equal."""
    if attributes is None:
        return ()
    found = {
        _key(each)
        for group in attributes.groups
        if group.index == index
        for each in group.attributes
    }
    return tuple(sorted(found))


def function_attributes(attributes: AttributeList | None) -> AttributeKey:
    """Return the attributes of a function itself."""
    return attributes_at(attributes, AttributeGroup.FUNCTION)


def attributes_text(attributes: AttributeKey, in_group: bool = False) -> str:
    """Return attributes, separated by blanks; `in_group`: for a line `attributes #0`."""
    return " ".join(_text(each, in_group) for each in attributes)


def _text(attribute: tuple[int, int, str, str], in_group: bool) -> str:
    kind, _, name, value = attribute
    if kind == 0:
        return name
    if kind == 2:
        return f'"{name}"="{value}"' if value else f'"{name}"'
    if in_group:
        return f"{name}={value}"
    return f"{name} {value}" if name == "align" else f"{name}({value})"
