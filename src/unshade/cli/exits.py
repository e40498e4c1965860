"""Exit codes of the command line.

    0  success                     3  an input is malformed or not a shader
    1  differences or findings     4  an input is well-formed but not supported
    2  usage error                 5  a limit was exceeded
    70 a bug in unshade            130 interrupted, 141 output pipe closed

With several files the highest code is returned.
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
CLOSED_PIPE = 141  # 128 + SIGPIPE

MEANINGS = {
    FINE: "Success.",
    FINDING: "Differences or findings.",
    USAGE: "Usage error, or a file that cannot be read or written.",
    MALFORMED: "An input is malformed or not a shader.",
    UNSUPPORTED: "An input is well-formed but not supported.",
    LIMIT: "A limit was exceeded, or memory ran out.",
    BUG: "A bug in unshade; please report it.",
    INTERRUPTED: "Interrupted.",
    CLOSED_PIPE: "The reader of standard output closed the pipe.",
}
WORDS = {  # of files, in the summary
    FINE: "fine",
    FINDING: "with findings",
    USAGE: "not usable",
    MALFORMED: "malformed",
    UNSUPPORTED: "not supported",
    LIMIT: "over a limit",
    BUG: "with an internal error",
}


def code_of(error: Exception) -> int:
    """Return the exit code for an error."""
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
