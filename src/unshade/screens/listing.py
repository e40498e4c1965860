"""A listing in colours: comments dim, what an instruction does, numbers, registers.

Colours only: without them the text is what `disassemble()` gave.
"""

import re
from collections.abc import Iterator

from .text import Segment, visible

DIM = 244
OPERATION = 75
DECLARATION = 110
FLOW = 176
NUMBER = 149
TOKENS = re.compile(
    r"(?P<number>\b-?(?:0x[0-9a-fA-F]+|\d+\.\d+(?:e[+-]\d+)?|\d+)\b)|(?P<other>[^\d-]+|.)"
)
FLOWS = re.compile(r"(if|else|endif|loop|endloop|switch|case|default|endswitch|break|continue|ret|"
                   r"call|label|discard|hs_|for\b|end\b|jmp|\.else\b|\.end\b)")  # fmt: skip
DECLARES = ("dcl_", ".")


def lines(text: str) -> Iterator[list[Segment]]:
    """The text line by line, control characters made visible."""
    for raw in text.split("\n")[: -1 if text.endswith("\n") else None]:
        line = visible(raw, keep="\t")
        if line.lstrip().startswith(("//", ";")):
            yield [(line, DIM)]
            continue
        body = line.lstrip()
        word, space, rest = body.partition(" ")
        colour = (
            FLOW if FLOWS.match(word) else DECLARATION if word.startswith(DECLARES) else OPERATION
        )
        row: list[Segment] = [(line[: len(line) - len(body)], None), (word + space, colour)]
        for token in TOKENS.finditer(rest):
            row.append((token[0], NUMBER if token.lastgroup == "number" else None))
        yield row
