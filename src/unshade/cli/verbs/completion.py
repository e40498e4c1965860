"""`unshade completion`: print a shell's completion script.

    eval "$(unshade completion bash)"

The script calls unshade for candidates: verbs and options from commands/, values from
candidates.py.
"""

from click import Command
from click.shell_completion import get_completion_class

from .. import exits
from ..commands import CompletionOptions
from ..output import CommandOutput

VARIABLE = "_UNSHADE_COMPLETE"  # the name that click expects


def run(given: CompletionOptions) -> int:
    """Print the completion script for a shell."""
    script = get_completion_class(given.shell)
    assert script is not None
    CommandOutput().text(script(Command("unshade"), {}, "unshade", VARIABLE).source() + "\n")
    return exits.FINE
