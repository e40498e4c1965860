"""Explanations of words: of operations in any language, and of codes of rules.

    mad           Direct3D assembly (fxc)     First source times the second, plus the third; …
                  PICA200 assembly            …
    psv.state     PSV0 and the program disagree

The tables of operations are those of the disassemblers and assemblers; each language of listings
names the module that reads its own (`ListingLanguage.explanation`).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType

from ..errors import UsageError, did_you_mean
from ..format import ListingLanguage
from ..formats import known
from ..rule import Rule
from ..tuples import NamedTuple

__all__ = [
    "VERIFY",
    "Explanation",
    "explain",
    "explained_languages",
    "known_rules",
    "words",
]

VERIFY = "verify"  # the name of the language of rules


class Explanation(NamedTuple):
    """The row of a table about a word."""

    word: str
    language: str  # name of the language, as in `explained_languages`; verify for a rule
    title: str  # of the language, for people; of a rule, its summary
    rows: list[tuple[str, str]]  # labels and texts; the texts with the label "" are sentences


def explained_languages() -> dict[str, ListingLanguage]:
    """Return the languages with an explanation of their operations, by name."""
    languages = (each for format in known() for each in format.languages)
    return {each.name: each for each in languages if each.explanation}


def known_rules() -> dict[str, Rule]:
    """Return the rules of all formats and of pipelines by code."""
    from ..damaged import RULES
    from .pipelines.rules import RULES as OF_PIPELINES

    tables: list[Mapping[str, Rule]] = [RULES, *(each.shader().rules() for each in known())]
    return {code: rule for each in (*tables, OF_PIPELINES) for code, rule in each.items()}


def words(language: str | None = None) -> Iterator[tuple[str, str]]:
    """Yield each word that `explain` knows, with the name of its language."""
    for name, module in _modules(language):
        for word in module.words():
            yield word, name
    if language in (None, VERIFY):
        for code in known_rules():
            yield code, VERIFY


def explain(word: str, language: str | None = None) -> list[Explanation]:
    """Return what the tables contain about an operation, or about a rule of `verify`.

    Args:
        word: An operation as listings have it, with its suffixes or without: `mad_sat`, `OpFMul`,
            `Normalize`, `dx.op.sample.f32`; an enumerant of SPIR-V; or the code of a rule.
        language: Only this one: fxc, dxc, picasso, spirv, sksl, d3d9, or verify for rules.

    Returns:
        An explanation for each operation that has this name, of all languages.

    Raises:
        UsageError: No table contains the word, or there is no such language.
    """
    found = [*_operations(word, language)]
    if not found:  # the spelling of another tool: sample of HLSL is Sample of DXIL
        lowered = word.lower()
        spellings = (each for each, _ in words(language) if each.lower() == lowered != each)
        word = next(spellings, word)
        found = [*_operations(word, language)]
    rule = known_rules().get(word) if language in (None, VERIFY) else None
    if rule is not None:
        rows = [("severity", str(rule.severity)), ("", rule.explanation)]
        found.append(Explanation(word, VERIFY, rule.summary, rows))
    if not found:
        hint = did_you_mean(word, dict.fromkeys(each for each, _ in words(language)))
        wanted = "an operation or a rule" if language is None else f"an operation of {language}"
        wanted = "a rule of verify" if language == VERIFY else wanted
        raise UsageError(f"expected {wanted}, got {word!r:.60}{hint}")
    return found


def _operations(word: str, language: str | None) -> Iterator[Explanation]:
    languages = explained_languages()
    for name, module in _modules(language):
        rows: list[tuple[str, str]] = []
        for row in (*module.explain(word), ("", "")):  # a summary begins each operation
            if not row[0] and rows:
                yield Explanation(word, name, languages[name].title, rows)
                rows = []
            rows.append(row)


def _modules(language: str | None) -> Sequence[tuple[str, ModuleType]]:
    languages = explained_languages()
    if language is None:
        chosen = [*languages]
    elif language in languages or language == VERIFY:
        chosen = [language] if language in languages else []
    else:
        hint = did_you_mean(language, names := [*languages, VERIFY])
        wanted = ", ".join(names)
        raise UsageError(f"language: expected one of {wanted}, got {language!r:.40}{hint}")
    return [(name, _module(languages[name].explanation)) for name in chosen]


@cache
def _module(name: str) -> ModuleType:
    return import_module(name)
