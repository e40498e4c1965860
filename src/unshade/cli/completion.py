"""`unshade completion`: the script by which a shell completes command lines of unshade.

    eval "$(unshade completion bash)"

The script calls unshade for candidates: options and verbs are those of commands.py, values those of
candidates.py.
"""

from click.shell_completion import get_completion_class

from . import exits
from .output import Output

VARIABLE = "_UNSHADE_COMPLETE"  # click goes by it, too


def run(shell: str) -> int:
    """Print the script for a shell."""
    from .commands import unshade

    script = get_completion_class(shell)
    assert script is not None
    Output().text(script(unshade, {}, "unshade", VARIABLE).source() + "\n")
    return exits.FINE
