"""The sockets: HTTP on 127.0.0.1, with limits of connections, sizes and time.

    GET  /            the page, empty: it contains nothing of the shader
    POST /page        the page of the shader, and the constants that can be set
    POST /picture     a PNG
    POST /trace       the steps of a pixel or thread
    POST /changes     the number of changes of the files, when it differs from the given one

Each connection is for one request, HTTP 1.0, so that no second one can hide behind a body.
"""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR, socket
from socketserver import TCPServer
from threading import Lock
from typing import Any

from ... import windows
from ...errors import UsageError
from .bodies import KINDS, parsed
from .gate import Gate
from .runs import SECONDS, LiveProcess, Runs
from .watching import FileChanges

__all__ = ["LiveServer"]

LOOPBACK = "127.0.0.1"
CONNECTIONS = 32
BODY = 64 << 10  # bytes
READING = 5.0  # seconds until a request has been read
FAREWELL = 0.3  # seconds for the last answers
PAUSE = 0.1  # seconds between two looks at the connections
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",  # the page itself contains the rest
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class LiveServer(ThreadingHTTPServer):
    """A server of one page; `shell` is the empty page, `start` makes a process."""

    daemon_threads = False  # they are waited for: none is left when the server has ended
    allow_reuse_address = not windows.HERE  # there it would let others take the port
    request_queue_size = CONNECTIONS

    def __init__(
        self,
        port: int,
        shell: str,
        start: Callable[[FileChanges], LiveProcess],
        seconds: float = SECONDS,
    ) -> None:
        self._lock = Lock()
        self._open: dict[socket, float | None] = {}  # since when a request is read, None after it
        super().__init__((LOOPBACK, port), _Handler)
        self.gate = Gate(self.server_address[1])
        self.shell = shell
        self.changes = FileChanges()
        self.runs = Runs(lambda: start(self.changes), seconds)

    def server_bind(self) -> None:
        """Bind the socket, without the DNS lookup of HTTPServer."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = LOOPBACK, self.server_address[1]

    def serve(self) -> None:
        """Answer requests until Ctrl-C, then end every process and thread."""
        try:
            self.serve_forever(PAUSE)
        except KeyboardInterrupt:
            pass
        finally:
            self.end()

    def end(self) -> None:
        """Close every connection and wait for the threads."""
        self.socket.close()
        self.runs.close()
        self.changes.close()
        latest = time.monotonic() + FAREWELL
        while self._open and time.monotonic() < latest:  # what waited is told that this ends
            time.sleep(PAUSE / 10)
        with self._lock:
            left = list(self._open)
        for each in left:
            _hang_up(each)
        self.server_close()

    # ------------------------------------------------------------ connections

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a connection in a thread, if there are not too many."""
        with self._lock:
            full = len(self._open) >= CONNECTIONS
            if not full:
                self._open[request] = time.monotonic()
        if full:
            self.shutdown_request(request)
        else:
            super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        with self._lock:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def has_read(self, request: socket) -> None:
        """Note that a request has been read whole."""
        with self._lock:
            if request in self._open:
                self._open[request] = None

    def service_actions(self) -> None:
        """Close the connections that send their request too slowly."""
        latest = time.monotonic() - READING
        with self._lock:
            slow = [each for each, since in self._open.items() if since and since < latest]
        for each in slow:
            _hang_up(each)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a broken connection."""


def _hang_up(connection: socket) -> None:
    with suppress(OSError):
        connection.shutdown(SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    server: LiveServer
    server_version, sys_version = "unshade", ""
    timeout = READING

    def do_GET(self) -> None:
        problem = self.server.gate.refusal(self.headers, needs_token=False)
        if problem is not None:
            self._refuse(HTTPStatus.FORBIDDEN, problem)
        elif self.path != "/":
            self._refuse(HTTPStatus.NOT_FOUND, "no such page")
        else:
            self.server.has_read(self.connection)
            self._send(HTTPStatus.OK, "text/html; charset=utf-8", self.server.shell.encode())

    def do_POST(self) -> None:
        problem = self.server.gate.refusal(self.headers, needs_token=True)
        kind = self.path.removeprefix("/")
        if problem is not None:
            self._refuse(HTTPStatus.FORBIDDEN, problem)
        elif f"/{kind}" != self.path or kind not in KINDS:
            self._refuse(HTTPStatus.NOT_FOUND, "no such request")
        elif self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "expected application/json")
        else:
            body = self._body()
            if body is not None:
                self._answer(kind, body)

    def _body(self) -> bytes | None:
        """Return the body; refuse one without a size, or with a large one."""
        sizes = self.headers.get_all("Content-Length") or []
        plain = len(sizes) == 1 and sizes[0].isascii() and sizes[0].isdecimal()
        if not plain or "Transfer-Encoding" in self.headers:
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "expected one Content-Length")
            return None
        if len(sizes[0]) > 9 or int(sizes[0]) > BODY:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"expected up to {BODY} bytes")
            return None
        body = self.rfile.read(int(sizes[0]))
        return body if len(body) == int(sizes[0]) else None

    def _answer(self, kind: str, body: bytes) -> None:
        self.server.has_read(self.connection)
        try:
            request = parsed(kind, body)
        except UsageError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
            return
        if kind == "changes":
            self._json(HTTPStatus.OK, {"version": self.server.changes.wait(request.version)})
        else:
            status, data = self.server.runs.ask(request)
            self._json(status, data)

    # ------------------------------------------------------------ answers

    def _refuse(self, status: int, problem: str) -> None:
        self._json(status, {"error": problem})

    def _json(self, status: int, data: Any) -> None:
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        self._send(status, "application/json", body)

    def _send(self, status: int, kind: str, body: bytes) -> None:
        with suppress(OSError):  # nobody waits for it any more
            self.send_response(status)
            for name, value in HEADERS.items():
                self.send_header(name, value)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse a request that is not HTTP, or has an unknown method, like any other request."""
        self._refuse(code, message or HTTPStatus(code).phrase)

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing: requests are private to the user."""
