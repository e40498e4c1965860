"""The rules of all formats, for `verify` and for shell completion."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..rule import Rule


def known_rules() -> "dict[str, Rule]":
    """Return the rules of all formats by code."""
    from ..damaged import RULES
    from ..formats import known

    of_formats = (each.shader().rules() for each in known())
    return {code: rule for rules in (RULES, *of_formats) for code, rule in rules.items()}
