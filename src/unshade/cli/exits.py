"""Exit codes of the command line. With several files the highest code is returned."""

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

# By code: words of `--help`, of the manual page, and of files in a summary; "" if it has none.
ROWS = {
    FINE: ("success", "Success.", "fine"),
    FINDING: ("differences or findings", "Differences or findings.", "with findings"),
    USAGE: ("usage error", "Usage error, or a file that cannot be read or written.", "not usable"),
    MALFORMED: ("malformed input", "An input is malformed or not a shader.", "malformed"),
    UNSUPPORTED: (
        "unsupported input", "An input is well-formed but not supported.", "not supported"
    ),
    LIMIT: ("limit exceeded", "A limit was exceeded, or memory ran out.", "over a limit"),
    BUG: ("", "A bug in unshade; please report it.", "with an internal error"),
    INTERRUPTED: ("", "Interrupted.", ""),
    CLOSED_PIPE: ("", "The reader of standard output closed the pipe.", ""),
}  # fmt: skip
BRIEF = {code: brief for code, (brief, _, _) in ROWS.items() if brief}
MEANINGS = {code: meaning for code, (_, meaning, _) in ROWS.items()}
WORDS = {code: words for code, (_, _, words) in ROWS.items() if words}


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
