"""`python -m unshade` is `unshade`."""

from .cli import start

start()
