"""Verbs about the cache and the shell."""

from __future__ import annotations

from ..declarations import READ, VerbOptions, argument, arguments, choice, flag
from .shared import JOBS, JSON, OUTPUT, SCHEMA


class CacheOptions(VerbOptions, verb="cache"):
    """Show the cache of machine code; with FILE, compile every program into it."""

    files = arguments(READ, "[FILE...]", required=False)
    clear = flag("Remove everything in it.")
    as_json = JSON
    schema = SCHEMA
    jobs = JOBS
    output = OUTPUT


class CompletionOptions(VerbOptions, verb="completion"):
    """Print the completion script for a shell."""

    shell = argument(choice("bash", "zsh", "fish"))
