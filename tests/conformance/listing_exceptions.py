"""Known differences between listings of the corpus and ours: by rule, never by file name.

Each rule looks at the listing alone. Where it applies, `theirs` takes out of the listing what we do
not print, or `ours` does to our text what was done to theirs; then the two are equal again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

COMMAND_LINE = re.compile(r"^//\n//   fxc .*\n(?://    .*\n)*//\n", re.MULTILINE)


def same(text: str) -> str:
    return text


def without_line_end_blanks(text: str) -> str:
    return re.sub(r" +$", "", text, flags=re.MULTILINE)


class Rule(NamedTuple):
    reason: str
    applies: Callable[[str], object]
    theirs: Callable[[str], str] = same
    ours: Callable[[str], str] = same


def without_debug_of_level_9(text: str) -> str:
    before, title, code = text.partition("// Level9 shader bytecode:")
    level_9, end, rest = code.partition("\n\n// approximately ")
    level_9 = re.sub(r'\n\n#line \d+(?: ".*")?(?=\n)', "", level_9)
    level_9 = re.sub(r"(?m)(?<=\S)  // .*<[\d,]*>.*$", "", level_9)
    return before + title + level_9 + end + rest


RULES = (
    Rule(
        "fxc 9.29 adds its command line to the banner of what it writes to a file; containers do"
        " not hold it",
        COMMAND_LINE.search,
        theirs=lambda text: COMMAND_LINE.sub("", text, count=1),
    ),
    Rule(
        "a copy that lost the blanks at line ends: every listing has some, at least after ret",
        lambda text: not re.search(r" $", text, re.MULTILINE),
        ours=without_line_end_blanks,
    ),
)
# Of listings that are assembled alone.
NOT_ASSEMBLED = Rule(
    "debug information in the code of feature level 9: a listing has a part of it",
    re.compile(r"^    .*  // .*<[\d,]*>|^#line ", re.MULTILINE).search,
    theirs=without_debug_of_level_9,
)
