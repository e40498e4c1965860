"""A server of static files on this machine, for tests of pages that need one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class QuietHandler(SimpleHTTPRequestHandler):
    """The files of a folder, by the types that browsers expect."""

    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm",
    }  # fmt: skip

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a browser that is closed hangs up."""


@contextmanager
def served(folder: Path, handler: type[QuietHandler] = QuietHandler) -> Iterator[str]:
    """Serve a folder; yield its address, which ends in a slash."""
    server = _QuietServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
