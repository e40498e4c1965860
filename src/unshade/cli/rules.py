"""The rules of all formats and of pipelines, for `verify`, `check` and shell completion."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..rule import Rule


def known_rules() -> "dict[str, Rule]":
    """Return the rules of all formats and of pipelines by code."""
    from ..analysis.pipelines.rules import RULES as OF_PIPELINES
    from ..damaged import RULES
    from ..formats import known

    of_formats = (each.shader().rules() for each in known())
    tables = (RULES, *of_formats, OF_PIPELINES)
    return {code: rule for rules in tables for code, rule in rules.items()}
