"""The tables of all verbs, by name and by task. They import every declaration."""

from __future__ import annotations

from collections.abc import Mapping

from ..declarations import SHADER, VerbArgument, VerbOption, declared
from . import TASK_MODULES, verbs_of
from .running import SceneOptions

__all__ = ["TASKS", "VERBS", "VERB_GROUPS", "shaders"]

# What the verbs have in common whose names begin with the same word.
VERB_GROUPS: Mapping[str, str] = {
    "catalog": "Keep what is known of many shaders in a folder, and ask it questions in SQL.",
}

BY_TASK = {task: verbs_of(module) for task, module in TASK_MODULES.items()}
VERBS = {name: each for verbs in BY_TASK.values() for name, each in verbs.items()}

# The words of `unshade --help` by task: names of verbs, and the common ones of groups.
TASKS: Mapping[str, tuple[str, ...]] = {
    task: tuple(dict.fromkeys(name.split()[0] for name in verbs)) for task, verbs in BY_TASK.items()
}


def shaders() -> list[str]:
    """Return the names of arguments and options that are one shader."""
    found = (
        name
        for options in (*VERBS.values(), SceneOptions)
        for name, each in declared(options).items()
        if isinstance(each, VerbArgument | VerbOption) and each.kind is SHADER
    )
    return list(dict.fromkeys(found))
