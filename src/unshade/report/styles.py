"""Styles for Pygments with the colours of pages and notebooks."""

from typing import ClassVar

from pygments.style import Style
from pygments.token import Literal, Token, _TokenType

from ..screens.colours import KINDS, WordColour
from .lexers import TOKENS

__all__ = ["DarkStyle", "LightStyle"]

# Strings are literals, and their type in Pygments is not that of numbers.
COLOURS: dict[_TokenType, WordColour] = {TOKENS[kind]: each for kind, each in KINDS.items()}
COLOURS[Literal] = COLOURS[Literal.Number]


class LightStyle(Style):
    """Words on a light background."""

    name = "unshade"
    background_color = "#ffffff"
    styles: ClassVar = {Token: "#1f2328", **{token: each.light for token, each in COLOURS.items()}}


class DarkStyle(Style):
    """Words on a dark background."""

    name = "unshade-dark"
    background_color = "#0d1117"
    line_number_color = "#9198a1"
    styles: ClassVar = {Token: "#e6edf3", **{token: each.dark for token, each in COLOURS.items()}}
