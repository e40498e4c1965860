"""The pytest plugin (entry point pytest11).

shader("ps.cso")                 fixture: a kernel of a file beside the test
frame("frame.yaml")              fixture: a frame of several passes, whose shaders are counted
assert out == approx_ulp(…)      explained by the trace of the thread that wrote it
--shader-coverage=out.info       LCOV against the listings, which are written beside it
--shader-report=DIR              a page of each shader whose test fails (pages.py)
"""

import re
import sys
from collections.abc import Generator, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import UnshadeError, UnsupportedError, UsageError

if TYPE_CHECKING:
    from ..run.kernels import Kernel
    from ..shader import Shader
    from ..vm.lockstep.debug import Coverage
    from .kernels import FrameFixture, ShaderFixture

ULP = f"{__package__}.ulp"  # loads NumPy: only where a test has done so
OPTION = "--shader-coverage"
PAGES = "--shader-report"
BY_SOURCE = "--shader-coverage-by-source"
PROPERTY = "shader-report"  # of a test case in JUnit's XML: the path of its page
KERNELS: pytest.StashKey[list[Any]] = pytest.StashKey()
COVERAGE: pytest.StashKey[dict[str, Any]] = pytest.StashKey()  # title: (Coverage, Lowered)
RECORDS: pytest.StashKey[dict[str, Any]] = pytest.StashKey()  # of other processes


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("unshade")
    group.addoption(
        OPTION, metavar="PATH", help="count which lines of shaders run, and write LCOV there"
    )
    group.addoption(
        BY_SOURCE, action="store_true",
        help="count lines of the sources of programs with debug information, not of listings",
    )  # fmt: skip
    group.addoption(
        PAGES, metavar="DIR",
        help="write a page of the shader of each test that fails there, with the trace of the"
        " thread that failed",
    )  # fmt: skip
    group.addoption(
        "--shader-engine", choices=("auto", "jit", "lockstep"), default="auto",
        help="what runs shaders; auto is jit where llvmlite is installed",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Fail once, not in every test, if something that is requested is not installed."""
    if config.getoption(PAGES):
        from .pages import prepare

        # Absolute from here on, for the processes of pytest-xdist and for tests that change folder.
        folder = config.invocation_params.dir / config.getoption(PAGES)
        config.option.shader_report = str(folder)
        try:
            prepare(folder)
        except UnshadeError as error:
            raise pytest.UsageError(f"{PAGES}: {error}") from None
    engine = config.getoption("--shader-engine")
    if engine == "jit":
        from ..run import need_numpy

        try:
            need_numpy()
            from ..run.engines import choose

            choose(engine, False)
        except UnshadeError as error:
            raise pytest.UsageError(f"--shader-engine={engine}: {error}") from None


@pytest.fixture
def shader(request: pytest.FixtureRequest) -> "ShaderFixture":
    """Return a function that opens a kernel: `shader(path, **options of unshade.kernel)`.

    A path is relative to the folder of the test; if there is no such file, to pytest's rootdir, and
    then to the folder in which pytest was started.
    """
    __tracebackhide__ = True
    from ..run import kernel, need_numpy

    try:
        need_numpy()
    except UnsupportedError as error:  # in one line, not with the source of the plugin
        pytest.fail(str(error), pytrace=False)
    from .kernels import RecordingKernel

    config = request.config
    kernels = request.node.stash.setdefault(KERNELS, [])

    def open_shader(path: str | PathLike[str], **options: Any) -> RecordingKernel:
        __tracebackhide__ = True
        found = _found(request, path)
        options.setdefault("engine", config.getoption("--shader-engine"))
        try:
            source = _opened(found)
            opened = kernel(source, **options)
        except UnshadeError as error:  # from here on, not from in there
            raise error.with_traceback(None) from None
        title = str(path) if "program" not in options else f"{path}.{options['program']}"
        coverage = _coverage(config, title, opened)
        made = RecordingKernel(opened, fspath(path), source, coverage)
        kernels.append(made)
        return made

    return open_shader


@pytest.fixture
def frame(request: pytest.FixtureRequest) -> "FrameFixture":
    """Return a function that opens a frame: `frame(path)`, found as the files of `shader` are."""
    __tracebackhide__ = True
    from ..run import need_numpy

    try:
        need_numpy()
    except UnsupportedError as error:
        pytest.fail(str(error), pytrace=False)
    from ..run.debugging.debugger import Debugger
    from ..run.frame import Frame
    from ..run.kernels import Kernel

    config = request.config

    def counted(kernel: Kernel, title: str) -> Kernel:
        coverage = _coverage(config, title, kernel)
        if coverage is not None:
            made = Kernel(Debugger(kernel, checks=False, coverage=coverage).execution)
            made.described, made.title = kernel.described, kernel.title
            return made
        return kernel

    def open_frame(path: str | PathLike[str]) -> Frame:
        __tracebackhide__ = True
        try:
            made = Frame.open(_found(request, path))
        except UnshadeError as error:
            raise error.with_traceback(None) from None
        made.engine = config.getoption("--shader-engine")
        made.opened = counted
        return made

    return open_frame


def _found(request: pytest.FixtureRequest, path: str | PathLike[str]) -> Path:
    """Return the place of a file: beside the test, in pytest's rootdir, or where it was started."""
    __tracebackhide__ = True
    config = request.config
    folders = [request.path.parent, config.rootpath, config.invocation_params.dir]
    found = next((each / path for each in folders if (each / path).exists()), None)
    if found is None:
        searched = ", ".join(dict.fromkeys(str(each) for each in folders))
        raise UsageError(f"no such file: {str(path)!r}; searched {searched}")
    return found


def _coverage(config: pytest.Config, title: str, kernel: "Kernel") -> "Coverage | None":
    """Return the counts of a kernel over all tests; None if nothing is counted."""
    if not config.getoption(OPTION):
        return None
    from ..vm.lockstep.debug import Coverage

    known = config.stash.setdefault(COVERAGE, {})
    if title not in known:
        known[title] = Coverage(), kernel.described()
    found: Coverage = known[title][0]
    return found


def _opened(path: Path) -> "Shader":
    """Return the shader of a file, or of a text that is compiled or assembled in memory."""
    from .. import api
    from ..compilers import compile, is_source
    from ..files import read
    from ..isa.source import decoded

    data = read(path)
    if is_source(str(path), decoded(data) or ""):
        return compile(path)
    return api.assembled(data, str(path)) or api.open(path)


# ---------------------------------------------------------------- failures


def pytest_runtest_setup(item: pytest.Item) -> None:
    if ULP in sys.modules:
        from .ulp import forget

        forget()


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    if op == "==" and ULP in sys.modules:
        from .ulp import approx_ulp

        for other in (right, left):
            if isinstance(other, approx_ulp):
                return [f"{other.what} == {other!r}", *other.lines]
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    kernels = item.stash.get(KERNELS, [])
    if report.when == "call" and report.failed and kernels:
        failure = None
        if ULP in sys.modules:
            from .ulp import last_failure

            failure = last_failure()
        for number, one in enumerate(kernels):
            if failure is not None and one.place(failure) is None:
                continue
            text = "\n".join(_explained(item, report, number, one, failure))
            if text:
                report.sections.append(("shader", text))
    return report


def _explained(
    item: pytest.Item, report: pytest.TestReport, number: int, kernel: Any, failure: Any
) -> Iterator[str]:
    """Yield the explanation of a failure, and the path of the page that was written."""
    from .kernels import explained

    try:
        found = kernel.debugged(failure)
        if found is None:
            return
        yield from explained(*found)
        folder = item.config.getoption(PAGES)
        if not folder:
            return
        from .pages import write

        name = f"{item.nodeid}: {kernel.title}"
        path = write(Path(folder), item.nodeid, number, kernel.page(name, found[1]))
        near = path.resolve()
        if near.is_relative_to(item.config.invocation_params.dir):  # CI publishes it elsewhere
            near = near.relative_to(item.config.invocation_params.dir)
        for each in (report, item):  # the report of this phase, and those that follow
            each.user_properties.append((PROPERTY, near.as_posix()))
        yield f"page: {path}"
    except UnshadeError as error:  # the call itself may be what failed
        yield str(error)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """List the pages that were written."""
    failed = terminalreporter.stats.get("failed", [])
    pages = [
        (each.nodeid, path)
        for each in failed
        for name, path in each.user_properties
        if name == PROPERTY
    ]
    if pages and config.getoption(PAGES):
        terminalreporter.section("shader pages")
        for nodeid, path in pages:
            terminalreporter.line(f"{nodeid}: {path}")


# ---------------------------------------------------------------- coverage


def _records(config: pytest.Config) -> dict[str, Any]:
    from .lcov import merge, record

    found: dict[str, Any] = {}
    for title, (coverage, lowered) in config.stash.get(COVERAGE, {}).items():
        merge(found, {title: record(coverage, lowered.lines, lowered.sources)})
    others: dict[str, Any] = config.stash.get(RECORDS, {})
    merge(found, others)
    return found


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Merge the coverage of a pytest-xdist process that has ended."""
    from .lcov import merge

    output = getattr(node, "workeroutput", {})
    merge(node.config.stash.setdefault(RECORDS, {}), output.get("unshade", {}))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    path = config.getoption(OPTION)
    if not path:
        return
    records = _records(config)
    output = getattr(config, "workeroutput", None)
    if output is not None:
        output["unshade"] = records
        return
    from ..files import write_atomically
    from .lcov import by_source, text

    place = Path(path)
    lines: list[str] = []
    if config.getoption(BY_SOURCE):
        sources, records = by_source(records)
        for file, one in sorted(sources.items()):
            lines += text(_source(config, place, file, one["text"]), one)
    for title, one in sorted(records.items()):
        listing = "".join(f"{each}\n" for each in one["listing"])
        lines += text(_beside(place, "listings", f"{title}.asm", listing), one)
    write_atomically(place, "".join(f"{line}\n" for line in lines).encode())


def _source(config: pytest.Config, place: Path, file: str, content: str | None) -> str:
    """Return the path of a source: in the project, else written beside `place`, else as named."""
    name = file.replace("\\", "/")
    for folder in (config.rootpath, config.invocation_params.dir):
        if (folder / name).is_file():
            return str((folder / name).absolute())
    return file if content is None else _beside(place, "sources", name, content)


def _beside(place: Path, what: str, name: str, content: str) -> str:
    """Write a file in a folder beside `place` and return its path."""
    from ..files import make_folder, write_atomically

    folder = place.parent / f"{place.name}.{what}"
    made = folder / re.sub(r"[/:]+", "_", name.replace("\\", "/").strip("/"))
    make_folder(folder)
    write_atomically(made, content.encode())
    return str(made.absolute())
