"""Pages in Debian's Chromium, driven by Playwright; tests skip where one of them is missing."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync",
    "--disable-component-update", "--no-first-run",
]  # fmt: skip
READY = "html[data-ready]"


def need_browser() -> None:
    """Skip the test, with the line that installs what it needs."""
    pytest.importorskip("playwright", reason="not installed: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("no browser: apt-get install chromium")


@contextmanager
def opened(path: Path, hash_: str = "", ready: str = READY, **options: Any) -> Iterator[Any]:
    """Open a page that is ready; yield Playwright's page.

    The page must not report an error, and must load nothing besides its own file.
    """
    requests: list[str] = []
    with visited(path.as_uri() + hash_, requests, ready, **options) as page:
        yield page
    assert [each.partition("#")[0] for each in requests] == [path.as_uri()]


@contextmanager
def visited(address: str, requests: list[str], ready: str = READY, **options: Any) -> Iterator[Any]:
    """Open the page of an address that is ready, and add what it asks for to `requests`.

    The page must not report an error.
    """
    with open_browser("about:blank", **options) as page:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(address)
        page.wait_for_selector(ready, state="attached", timeout=20_000)
        yield page
        assert errors == []


@contextmanager
def open_browser(address: str, **options: Any) -> Iterator[Any]:
    """Open any page; yield Playwright's page."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            page = browser.new_page(**{"viewport": {"width": 1440, "height": 900}, **options})
            page.goto(address)
            yield page
        finally:
            browser.close()
