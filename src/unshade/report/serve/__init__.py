"""A server on this machine for the page of a shader that is run while it is looked at.

    gate.py       the checks of who asks: host, origin, site and token
    bodies.py     the requests: the fields of each, with their types and bounds
    runs.py       one run at a time, with a time limit; a newer request takes an older one's place
    watching.py   the files that were read, and whether they have changed
    server.py     the sockets, with limits of their number, of sizes and of time

The server itself neither opens nor runs a shader: a `LiveProcess` does, in another process that can
be ended at any time.
"""

from .bodies import LiveRequest
from .runs import LiveAnswer, LiveProcess
from .server import LiveServer

__all__ = ["LiveAnswer", "LiveProcess", "LiveRequest", "LiveServer"]
