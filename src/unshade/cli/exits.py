"""Exit codes: what a script can tell from the way `unshade` ended.

    0  fine                        3  an input is malformed, or no shader
    1  a difference or a finding   4  well-formed, but not supported yet
    2  wrong usage                 5  a limit was hit
    70 a bug in unshade            130 interrupted, 141 nobody reads the output

With several files the highest one counts.
"""

from ..errors import DamagedError, LimitError, UnshadeError, UnsupportedError, UsageError

FINE = 0
FINDING = 1
USAGE = 2
MALFORMED = 3
UNSUPPORTED = 4
LIMIT = 5
BUG = 70
INTERRUPTED = 130
CLOSED_PIPE = 141  # what a shell shows for a program that SIGPIPE ended

MEANINGS = {
    FINE: "Fine.",
    FINDING: "A difference, or a finding.",
    USAGE: "Wrong usage, or a file that cannot be read or written.",
    MALFORMED: "An input is malformed, or no shader.",
    UNSUPPORTED: "Well-formed, but not supported yet.",
    LIMIT: "A limit was hit, or memory ran out.",
    BUG: "A bug in unshade; please report it.",
    INTERRUPTED: "Interrupted.",
    CLOSED_PIPE: "Nobody reads the output any more.",
}
WORDS = {  # of a file, in the summary of several
    FINE: "fine",
    FINDING: "with findings",
    USAGE: "not usable",
    MALFORMED: "malformed",
    UNSUPPORTED: "not supported",
    LIMIT: "over a limit",
    BUG: "that hit a bug of unshade",
}


def code_of(error: Exception) -> int:
    """The exit code that tells of this error."""
    match error:
        case DamagedError():
            return MALFORMED
        case UsageError():
            return USAGE
        case UnsupportedError():
            return UNSUPPORTED
        case LimitError() | MemoryError():
            return LIMIT
        case UnshadeError():
            return MALFORMED
    return BUG
