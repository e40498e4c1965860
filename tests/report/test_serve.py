"""Attacks on the server of `debug --serve`: each is refused, and reaches no process."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from typing import Any

import pytest

from unshade.report.serve import LiveAnswer, LiveRequest, LiveServer, runs, server
from unshade.report.serve.watching import FileChanges

SHELL = "<!doctype html>the empty page"


class Echo:
    """A process that answers with the fields of the request."""

    def __init__(self) -> None:
        self.asked: list[LiveRequest] = []
        self.ended = threading.Event()

    def ask(self, request: LiveRequest) -> LiveAnswer:
        self.asked.append(request)
        if request.client == "for ever":
            self.ended.wait(20)
            raise EOFError
        if request.client == "a moment":
            time.sleep(0.2)
        if request.client == "large":
            return LiveAnswer(200, json.dumps("a" * request.version).encode())
        return LiveAnswer(200, {"kind": request.kind, "thread": list(request.thread)})

    def end(self) -> None:
        self.ended.set()


class Served:
    """A server in a thread, and the processes that it started."""

    def __init__(self, seconds: float = 20) -> None:
        self.processes: list[Echo] = []
        self.server = LiveServer(0, SHELL, self.start, seconds)
        self.port = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    def start(self, changes: FileChanges) -> Echo:
        self.processes.append(Echo())
        return self.processes[-1]

    @property
    def asked(self) -> list[LiveRequest]:
        return [each for process in self.processes for each in process.asked]

    def ask(
        self, path: str, body: Any = None, /, *, method: str = "POST", **headers: str | None
    ) -> tuple[int, Any, HTTPResponse]:
        given = {
            "Unshade-Token": self.server.gate.token,
            "Content-Type": "application/json",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        data = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.putrequest(method, path, skip_host="Host" in given)
            for name, value in {"Content-Length": str(len(data)), **given}.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(data)
            answer = connection.getresponse()
            text = answer.read()
        is_json = answer.headers.get_content_type() == "application/json" and method != "HEAD"
        return answer.status, json.loads(text) if is_json else text, answer

    def end(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.end()


@contextmanager
def serving(seconds: float = 20) -> Iterator[Served]:
    made = Served(seconds)
    try:
        yield made
    finally:
        made.end()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as made:
        yield made


def test_what_the_page_asks_is_answered(served: Served) -> None:
    status, found, _ = served.ask("/trace", {"thread": [3, 4]})
    assert (status, found) == (200, {"kind": "trace", "thread": [3, 4]})


def test_it_listens_on_this_machine_alone(served: Served) -> None:
    assert served.server.server_address[0] == "127.0.0.1"


def test_the_empty_page_needs_no_token_and_may_not_be_framed(served: Served) -> None:
    status, found, answer = served.ask("/", method="GET", Unshade_Token=None)
    assert (status, found) == (200, SHELL.encode())
    assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert answer.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("path", ["/", "/page", "/nothing"])
def test_every_answer_has_the_headers_that_protect_it(served: Served, path: str) -> None:
    method = "GET" if path == "/" else "POST"
    _, _, answer = served.ask(path, method=method)
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    assert answer.headers["Server"].strip() == "unshade"


@pytest.mark.parametrize("token", [None, "", "wrong", "\xe9"])
@pytest.mark.parametrize("path", ["/page", "/picture", "/trace", "/changes", "/nothing"])
def test_a_missing_or_wrong_token(served: Served, path: str, token: str | None) -> None:
    before = len(served.asked)
    status, found, _ = served.ask(path, Unshade_Token=token)
    assert status == 403
    assert found == {"error": "Unshade-Token: expected the token of the printed address"}
    assert len(served.asked) == before


def test_a_token_in_the_address_is_none(served: Served) -> None:
    token = served.server.gate.token
    assert served.ask(f"/page?token={token}", Unshade_Token=None)[0] == 403
    assert served.ask(f"/page?token={token}")[0] == 404
    assert served.ask(f"/?token={token}", method="GET")[0] == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Host": "localhost.evil.example"},
        {"Host": None},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
    ids=str,
)
@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("POST", "/page")])
def test_another_host_origin_or_site(
    served: Served, method: str, path: str, headers: dict[str, str | None]
) -> None:
    before = len(served.asked)
    status, found, _ = served.ask(path, method=method, **headers)
    assert status == 403
    assert "expected" in found["error"]
    assert len(served.asked) == before


def test_both_names_of_this_machine(served: Served) -> None:
    for name in ("127.0.0.1", "localhost"):
        host = f"{name}:{served.port}"
        headers: dict[str, str | None] = {
            "Host": host,
            "Origin": f"http://{host}",
            "Sec_Fetch_Site": "same-origin",
        }
        assert served.ask("/page", method="POST", **headers)[0] == 200
    mixed: dict[str, str | None] = {
        "Host": f"localhost:{served.port}",
        "Origin": f"http://127.0.0.1:{served.port}",
    }
    assert served.ask("/page", method="POST", **mixed)[0] == 403


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/page", 404),  # nothing is run by following a link
        ("GET", "/picture", 404),
        ("GET", "/trace", 404),
        ("POST", "/", 404),
        ("POST", "/../../etc/passwd", 404),
        ("POST", "/%2e%2e/%2e%2e/etc/passwd", 404),
        ("GET", "/../etc/passwd", 404),
        ("GET", "/assets/live.js", 404),
        ("POST", "/page/", 404),
        ("PUT", "/page", 501),
        ("DELETE", "/page", 501),
        ("OPTIONS", "/page", 501),  # no other origin is given consent
        ("HEAD", "/", 501),
        ("TRACE", "/", 501),
    ],
)
def test_other_routes_and_methods(served: Served, method: str, path: str, status: int) -> None:
    before = len(served.asked)
    assert served.ask(path, method=method)[0] == status
    assert len(served.asked) == before


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None]
)
def test_a_form(served: Served, kind: str | None) -> None:
    assert served.ask("/page", Content_Type=kind)[0] == 415


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content_Length": str((64 << 10) + 1)}, 413),
        ({"Content_Length": "9" * 4300}, 413),
        ({"Content_Length": "-1"}, 411),
        ({"Content_Length": "+2"}, 411),
        ({"Content_Length": "²"}, 411),
        ({"Content_Length": None}, 411),
        ({"Transfer_Encoding": "chunked"}, 411),
    ],
    ids=str,
)
def test_a_body_of_another_size(
    served: Served, headers: dict[str, str | None], status: int
) -> None:
    assert served.ask("/page", b"", method="POST", **headers)[0] == status


@pytest.mark.parametrize("body", [b"[" * 60_000, b"{", b'{"path": "/etc/passwd"}', b"\xff"])
def test_a_body_that_is_no_request(served: Served, body: bytes) -> None:
    before = len(served.asked)
    status, found, _ = served.ask("/trace", body)
    assert status == 400
    assert found["error"].startswith("the body: expected")
    assert len(served.asked) == before


def test_a_second_request_behind_a_body_is_not_read(served: Served) -> None:
    before = len(served.asked)
    head = f"Host: 127.0.0.1:{served.port}\r\nUnshade-Token: {served.server.gate.token}\r\n"
    one = f"POST /page HTTP/1.1\r\n{head}Content-Type: application/json\r\nContent-Length: 2"
    with closing(socket.create_connection(("127.0.0.1", served.port))) as connection:
        connection.sendall(f"{one}\r\n\r\n{{}}{one}\r\n\r\n{{}}".encode())
        connection.settimeout(10)
        try:
            while connection.recv(1 << 16):
                pass
        except ConnectionResetError:
            pass
    assert len(served.asked) == before + 1


@pytest.mark.parametrize("lines", ["Host: {host}\r\nHost: evil.example", "Host: {host}, evil"])
def test_two_hosts(served: Served, lines: str) -> None:
    text = f"GET / HTTP/1.1\r\n{lines.format(host=f'127.0.0.1:{served.port}')}\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", served.port))) as connection:
        connection.sendall(text.encode())
        assert b" 403 " in connection.recv(1 << 16).partition(b"\r\n")[0]


def test_headers_without_end(served: Served) -> None:
    text = "GET / HTTP/1.1\r\n" + "".join(f"A{at}: b\r\n" for at in range(200)) + "\r\n"
    with closing(socket.create_connection(("127.0.0.1", served.port))) as connection:
        connection.sendall(text.encode())
        assert b" 431 " in connection.recv(1 << 16).partition(b"\r\n")[0]


def test_an_answer_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    assert runs.LARGEST == 64 << 20
    monkeypatch.setattr(runs, "LARGEST", 1 << 20)

    def ask(size: int) -> LiveAnswer:
        made = runs.Runs(Echo)
        try:
            return made.ask(LiveRequest("page", "large", version=size))
        finally:
            made.close()

    assert ask((1 << 20) - 2).status == 200  # with its quotation marks
    assert ask((1 << 20) - 1) == (422, {"error": "the answer exceeds 1 MiB"})


@pytest.mark.slow
def test_a_slow_client_is_closed_and_others_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "READING", 0.3)
    with serving() as served:
        with closing(socket.create_connection(("127.0.0.1", served.port))) as slow:
            slow.settimeout(5)
            began = time.monotonic()
            closed = False
            while not closed and time.monotonic() - began < 4:
                try:
                    slow.sendall(b"G")  # a byte at a time: no single wait is long
                    time.sleep(0.05)
                except OSError:
                    closed = True
            assert closed
        assert served.ask("/page")[0] == 200


@pytest.mark.slow
def test_many_connections_are_closed_and_room_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "CONNECTIONS", 4)
    monkeypatch.setattr(server, "READING", 0.5)
    with serving() as served:
        held = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(4)]
        time.sleep(0.1)
        with closing(socket.create_connection(("127.0.0.1", served.port))) as fifth:
            fifth.settimeout(0.3)
            assert fifth.recv(1) == b""  # closed at once
        time.sleep(1)
        assert served.ask("/page")[0] == 200
        for each in held:
            each.close()


@pytest.mark.slow
def test_a_run_ends_when_its_time_is_over_and_the_next_has_another_process() -> None:
    with serving(0.2) as served:
        status, found, _ = served.ask("/picture", {"client": "for ever"})
        assert status == 422
        assert found["error"].startswith("the run was ended after 0.2 seconds")
        assert served.ask("/picture", {"client": "next"})[0] == 200
        assert [each.ended.is_set() for each in served.processes] == [True, False]


def asked_beside(served: Served, body: dict[str, Any]) -> tuple[threading.Thread, list[int]]:
    """Ask for a picture in a thread; return it, and the list that will have the status."""
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(served.ask("/picture", body)[0]))
    thread.start()
    return thread, found


@pytest.mark.slow
def test_a_newer_request_of_the_same_client_takes_the_place_of_the_one_that_waits() -> None:
    with serving() as served:
        first, one = asked_beside(served, {"client": "a moment"})
        time.sleep(0.05)
        second, two = asked_beside(served, {"client": "b", "size": [1, 1]})
        time.sleep(0.05)
        third, three = asked_beside(served, {"client": "b", "size": [2, 2]})
        for each in (first, second, third):
            each.join()
        assert (one, two, three) == ([200], [409], [200])
        assert [each.size for each in served.asked] == [None, (2, 2)]


@pytest.mark.slow
def test_two_browsers_wait_for_each_other() -> None:
    with serving() as served:
        first, one = asked_beside(served, {"client": "a moment"})
        time.sleep(0.05)
        second, two = asked_beside(served, {"client": "another"})
        first.join()
        second.join()
        assert (one, two) == ([200], [200])


@pytest.mark.slow
def test_the_end_leaves_no_thread_and_no_process() -> None:
    before = set(threading.enumerate())
    served = Served()
    running, status = asked_beside(served, {"client": "for ever"})
    waiting = threading.Thread(target=served.ask, args=("/changes", {"version": 0}))
    waiting.start()
    time.sleep(0.2)
    began = time.monotonic()
    served.end()
    running.join()
    waiting.join()
    assert time.monotonic() - began < 1
    assert status == [422]
    assert served.processes[0].ended.is_set()
    assert set(threading.enumerate()) <= before
