"""Authentication of requests: the page, or somebody who was told the token, has sent them.

    Host             one of the two names of this address: another name that leads here, as in DNS
                     rebinding, is refused
    Origin           the page's own, where the browser sends it
    Sec-Fetch-Site   same-origin, or none for an address that somebody typed
    Unshade-Token    the token, in all requests but the one for the empty page: a form cannot send
                     this header, and a script of another origin would need a consent (CORS) that
                     is never given

The token stands in the printed address behind `#`, which browsers send to nobody.
"""

import hmac
from email.message import Message
from secrets import token_urlsafe

__all__ = ["Gate"]

NAMES = ("127.0.0.1", "localhost")
SITES = ("same-origin", "none")
TOKEN = "Unshade-Token"


class Gate:
    """The checks of one server."""

    def __init__(self, port: int) -> None:
        self.token = token_urlsafe(32)
        self.hosts = [f"{name}:{port}" for name in NAMES]

    @property
    def address(self) -> str:
        """The address of the page, with the token."""
        return f"http://{self.hosts[0]}/#token={self.token}"

    def refusal(self, headers: Message, *, needs_token: bool) -> str | None:
        """Return the reason to refuse a request; None if there is none."""
        host = _only(headers, "Host")
        if host not in self.hosts:
            return f"Host: expected {' or '.join(self.hosts)}"
        origin = _only(headers, "Origin")
        if origin is not None and origin != f"http://{host}":
            return "Origin: expected the page's own"
        site = _only(headers, "Sec-Fetch-Site")
        if site is not None and site not in SITES:
            return f"Sec-Fetch-Site: expected {' or '.join(SITES)}"
        if needs_token:
            given = _only(headers, TOKEN) or ""
            if not hmac.compare_digest(given.encode(), self.token.encode()):
                return f"{TOKEN}: expected the token of the printed address"
        return None


def _only(headers: Message, name: str) -> str | None:
    """Return a header; None if there is none, an invalid value if there are several."""
    found = headers.get_all(name) or []
    return str(found[0]) if len(found) == 1 else "" if found else None
