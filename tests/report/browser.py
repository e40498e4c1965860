"""Pages in Debian's Chromium, driven by Playwright; tests skip where one of them is missing.

The tests of a process share one browser, since to start it takes longer than most of them; each
page has a context of its own, with its own storage, cache and service workers.
"""

import atexit
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
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
    context = browser().new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
    try:
        page = context.new_page()
        page.goto(address)
        yield page
    finally:
        context.close()


def browser() -> Any:
    """Return Playwright's browser, which is started if none is running."""
    running = _browsers()
    if not running or not running[-1].is_connected():
        running.append(playwright().chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS))
    return running[-1]


@cache
def _browsers() -> list[Any]:
    return []


@cache
def playwright() -> Any:
    """Return Playwright, which ends with the process."""
    from playwright.sync_api import sync_playwright

    driver = sync_playwright().start()
    atexit.register(driver.stop)
    return driver
