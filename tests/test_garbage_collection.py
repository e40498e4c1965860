"""The collector is off while a kernel is made, and as before afterwards."""

import gc
import threading
from collections.abc import Iterator

import pytest

from unshade.garbage_collection import uncollected


@uncollected
def inner() -> bool:
    return gc.isenabled()


@uncollected
def outer() -> tuple[bool, bool]:
    return inner(), gc.isenabled()


@uncollected
def failing() -> None:
    raise ValueError


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    before = gc.isenabled()
    yield
    (gc.enable if before else gc.disable)()


def test_it_is_off_inside_and_on_again_after_the_outermost_call() -> None:
    gc.enable()
    assert outer() == (False, False)
    assert gc.isenabled()


def test_it_is_on_again_after_an_error() -> None:
    gc.enable()
    with pytest.raises(ValueError):
        failing()
    assert gc.isenabled()


def test_a_process_that_turned_it_off_is_left_alone() -> None:
    gc.disable()
    assert outer() == (False, False)
    assert not gc.isenabled()


def test_it_is_off_until_the_last_thread_returns() -> None:
    gc.enable()
    begun, finish = threading.Event(), threading.Event()

    @uncollected
    def waiting() -> None:
        begun.set()
        finish.wait()

    thread = threading.Thread(target=waiting)
    thread.start()
    begun.wait()
    inner()
    assert not gc.isenabled()
    finish.set()
    thread.join()
    assert gc.isenabled()
