"""The playground: its calls in this Python, its page with a stand-in, and all of it in a browser.

Two stand-ins answer for the worker, since no wheel of NumPy for Pyodide can be had here. One has
fixed answers; the other asks this Python, so that shaders run, are drawn and stepped through behind
the real page. Running them in Pyodide is not measured.
"""

import hashlib
import io
import json
import shutil
import subprocess
import tarfile
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.corpus import REPOSITORY
from tests.once import once
from tests.report.browser import need_browser, open_browser
from tests.report.serving import QuietHandler, served
from tools.playground import playground
from tools.playground.__main__ import EXAMPLES, PACKAGES, VERSION, build, copy_page, copy_wheels

STATIC = REPOSITORY / "tools" / "playground" / "static"
STAND_IN = """
onmessage = ({ data }) => {
  const { id, call, values } = data;
  if (call === "show" && values[1] === "slow") return;
  const page = `<!doctype html><html data-ready><p>${values[1]}, ${values[0].length} bytes`;
  const answers = {
    show: { format: "toy", size: values[0].length, page, text: "text of " + values[1],
      lines: [["Draw", "render one -o a.png"], ["Summary", "info one"]] },
    assemble: String(values[0]).endsWith("wrong") ? { error: "text:2:1: expected x, got wrong" }
      : { data: new TextEncoder().encode(values[0]) },
    compare: { page: "<!doctype html><p>differences", different: true, verdict: "they differ" },
    command: { code: 0, text: "$ " + values[0], files: {
      "a.png": Uint8Array.from(atob("PNG"), (each) => each.charCodeAt(0)),
      "b.html": new TextEncoder().encode("<!doctype html><p id='trace'>steps") } },
  };
  postMessage({ id, value: answers[call] });
};
postMessage({ stage: 1, of: 4, words: "Loading a stand-in…" });
postMessage({ ready: true, runs: true });
"""

ASKING = """
const packed = (value) => value instanceof Uint8Array
  ? { bytes: btoa(String.fromCharCode(...value)) }
  : value && typeof value === "object" ? Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, packed(each)])) : value;
const plain = (value) => Array.isArray(value) ? value.map(plain)
  : !value || typeof value !== "object" ? value
  : "bytes" in value ? Uint8Array.from(atob(value.bytes), (each) => each.charCodeAt(0))
  : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
onmessage = async ({ data }) => {
  const asked = { call: data.call, values: data.values.map(packed) };
  const answer = await fetch("call", { method: "POST", body: JSON.stringify(asked) });
  for (const line of (await answer.text()).trim().split("\\n")) {
    const told = plain(JSON.parse(line));
    postMessage("value" in told ? { id: data.id, ...told } : told);
  }
};
postMessage({ ready: true, runs: true });
"""


class Calls(QuietHandler):
    """A server of the page that answers its calls with playground.py, as lines of JSON."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()

        def say(told: Any) -> None:
            self.wfile.write(json.dumps(told, default=in_base64).encode() + b"\n")

        playground.report = lambda done, total: say({"done": done, "total": total})
        try:
            value = getattr(playground, asked["call"])(*map(from_base64, asked["values"]))
        finally:
            playground.report = None
        say({"value": value})


def in_base64(data: bytes) -> dict[str, str]:
    return {"bytes": b64encode(data).decode()}


def from_base64(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value.keys() == {"bytes"}:
        return b64decode(value["bytes"])
    return {name: from_base64(each) for name, each in value.items()}


def example(name: str) -> bytes:
    return (REPOSITORY / "examples" / name).read_bytes()


# ---------------------------------------------------------------- the calls


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_shown_and_assembled(name: str) -> None:
    data = example(name)
    answer = playground.show(data, name)
    assert answer["size"] == len(data)
    assert name in answer["page"]
    made = playground.assemble(answer["text"], data)["data"]
    assert playground.show(made, name)["text"] == answer["text"]


def test_an_edit_is_in_the_file_and_in_the_comparison() -> None:
    data = example("saxpy.dxbc")
    text = playground.show(data, "a")["text"]
    made = playground.assemble(text.replace("\nmul r0.x", "\nadd r0.x", 1), data)["data"]
    found = playground.compare(data, made, "a", "b")
    assert found["different"]
    assert "code" in found["verdict"]
    assert "<title>" in found["page"]


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("kept")
    with pytest.raises(
        SystemExit, match="expected a folder that is empty or contains a playground"
    ):
        build(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["mine.txt"]


def test_another_package_than_the_pinned_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def packed(_: object, *, cwd: Path, **__: object) -> None:
        with tarfile.open(cwd / f"pyodide-{VERSION}.tgz", "w:gz"):
            pass

    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr("subprocess.run", packed)
    with pytest.raises(SystemExit, match=f"pyodide {VERSION}: expected sha512-0Yv"):
        build(tmp_path / "site", cache=tmp_path / "cache")
    assert not (tmp_path / "cache" / f"pyodide-{VERSION}").exists()


def test_wheels_are_those_of_the_lock(tmp_path: Path) -> None:
    locked = {
        name: {"file_name": f"{name}.whl", "sha256": hashlib.sha256(name.encode()).hexdigest()}
        for name in PACKAGES
    }
    site, wheels = tmp_path / "site", tmp_path / "wheels"
    for folder in (site, wheels):
        folder.mkdir()
    (site / "pyodide-lock.json").write_text(json.dumps({"packages": locked}))
    for name in PACKAGES:
        (wheels / f"{name}.whl").write_text(name)
    assert copy_wheels(site, wheels) == [f"{name}.whl" for name in PACKAGES]
    assert copy_wheels(site, None) == []
    (wheels / "pillow.whl").write_text("another")
    shutil.rmtree(site / "wheels")
    with pytest.raises(SystemExit, match=r"pillow\.whl: expected the digest of pyodide-lock\.json"):
        copy_wheels(site, wheels)


def test_errors_are_answers() -> None:
    assert "expected" in playground.show(b"nothing", "a")["error"]
    data = example("saxpy.dxbc")
    problem = playground.assemble("cs_5_0\nnonsense r0\n", data)["error"]
    assert problem.startswith("text:2:1: unknown instruction 'nonsense'")


def test_a_text_that_cannot_be_had() -> None:
    answer = playground.show(example("pipelines.sodb"), "pipelines.sodb")
    assert answer["text"] == ""
    assert "extract a shader" in answer["refused"]


def test_command_lines() -> None:
    files = {"saxpy.dxbc": example("saxpy.dxbc")}
    answer = playground.command("unshade identify saxpy.dxbc", files)
    assert (answer["code"], answer["files"]) == (0, {})
    assert answer["text"].startswith("saxpy.dxbc")
    assert playground.command("identify absent", files)["code"] == 2
    assert playground.command("'", files)["code"] == 2
    stripped = playground.command("strip saxpy.dxbc -o small.dxbc", files)["files"]
    assert stripped["small.dxbc"][:4] == b"DXBC"


def test_pictures_of_a_command_line() -> None:
    pytest.importorskip("PIL")
    files = {"plasma.skslb": example("plasma.skslb")}
    answer = playground.command("render plasma.skslb --size 8 --set size=8,8 -o a.png", files)
    assert answer["code"] == 0
    assert answer["files"]["a.png"].startswith(b"\x89PNG")


# ---------------------------------------------------------------- the page, with a stand-in


@contextmanager
def stood_in(
    folder: Path, fragment: str = "", worker: str = STAND_IN, handler: Any = QuietHandler,
    **options: Any,
) -> Iterator[Any]:  # fmt: skip
    """Open the page with a stand-in as its worker."""
    from PIL import Image

    need_browser()
    copy_page(folder)
    Image.new("RGB", (4, 3)).save(folder / "a.png")
    picture = b64encode((folder / "a.png").read_bytes()).decode()
    (folder / "worker.js").write_text(worker.replace("PNG", picture, 1))
    (folder / "examples").mkdir(exist_ok=True)
    (folder / "examples" / "one").write_bytes(b"123")
    (folder / "examples" / "slow").write_bytes(b"1")
    for name in ("saxpy.dxbc", "plasma.skslb"):
        (folder / "examples" / name).write_bytes(example(name))
    (folder / "examples.json").write_text('["one", "slow", "saxpy.dxbc", "plasma.skslb"]')
    (folder / "files.json").write_text('{"version": "1", "files": ["index.html"]}')
    with served(folder, handler) as address, open_browser("about:blank", **options) as page:
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text))
        page.on(
            "request",
            lambda asked: (
                wrong.append(asked.url)
                if not asked.url.startswith((address, "blob:", "data:"))
                else None
            ),
        )
        page.goto(f"{address}{fragment}")
        page.wait_for_selector("html[data-ready]", state="attached")
        yield page
        assert wrong == []


def framed(page: Any, place: str) -> Any:
    frame = page.wait_for_selector(f"{place} iframe").content_frame()
    frame.wait_for_selector("p")
    return frame


@pytest.mark.slow
def test_a_file_is_shown_edited_compared_and_shared(tmp_path: Path) -> None:
    with stood_in(tmp_path) as page:
        page.select_option("#examples", "one")
        assert framed(page, "#view-page").inner_text("p") == "one, 3 bytes"
        page.click("#tab-text")
        assert page.input_value("#text") == "text of one"
        page.fill("#text", "right\nwrong")
        page.click("#assemble")
        page.wait_for_selector("#problem.wrong:has-text('text:2:1: expected x, got wrong')")
        assert page.evaluate("getSelection().toString()") == "wrong"
        page.click("#revert")
        assert page.input_value("#text") == "text of one"
        page.fill("#text", "twelve bytes")
        page.click("#assemble")
        page.wait_for_selector("#problem:has-text('12 bytes')")
        page.click("#tab-diff")
        page.click("#diff-original")
        page.wait_for_selector("#verdict:has-text('they differ')")
        assert framed(page, "#difference").inner_text("p") == "differences"
        page.click("#share")
        page.wait_for_selector("#said:has-text('link'), #said:has-text('Copied')")
        fragment = page.evaluate("location.hash")
    with stood_in(tmp_path, fragment) as page:
        assert framed(page, "#view-page").inner_text("p") == "one, 12 bytes"


@pytest.mark.slow
def test_a_dropped_file_and_a_damaged_link(tmp_path: Path) -> None:
    with stood_in(tmp_path, "#name=a&data=AAAA") as page:
        page.wait_for_selector("#view-page:has-text('The link is damaged')")
        page.set_input_files("#file", [{"name": "b", "mimeType": "", "buffer": b"12"}])
        assert framed(page, "#view-page").inner_text("p") == "b, 2 bytes"
        page.evaluate(
            """() => { const held = new DataTransfer(); held.items.add(new File(["1"], "c"));
            dispatchEvent(new DragEvent("drop", { dataTransfer: held, cancelable: true })); }"""
        )
        page.wait_for_selector("#view-page iframe[title='Page of c']")


@pytest.mark.slow
def test_pictures_and_pages_of_a_command(tmp_path: Path) -> None:
    with stood_in(tmp_path) as page:
        page.select_option("#examples", "one")
        framed(page, "#view-page").inner_text("p")  # it is shown when it is open
        page.click("#tab-run")
        page.wait_for_selector("#run:enabled")
        page.fill("#command", "render one -o a.png")
        page.press("#command", "Enter")
        page.wait_for_selector("#printed:has-text('$ render one -o a.png')")
        picture = page.wait_for_selector("#made img[alt='a.png']")
        picture.evaluate("each => each.decode()")
        assert picture.evaluate("each => [each.naturalWidth, each.naturalHeight]") == [4, 3]
        assert framed(page, "#made").inner_text("#trace") == "steps"


@pytest.mark.slow
def test_a_picture_is_drawn_and_its_pixel_stepped_through(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    with stood_in(tmp_path, worker=ASKING, handler=Calls) as page:
        page.click("#offers button:text('plasma.skslb')")
        page.wait_for_selector("#view-page iframe[title='Page of plasma.skslb']")
        page.click("#tab-run")
        page.click("#lines button:text('Draw')")
        picture = page.wait_for_selector("#made img", timeout=60_000)
        picture.evaluate("each => each.decode()")
        assert picture.evaluate("each => [each.naturalWidth, each.naturalHeight]") == [256, 192]
        assert page.evaluate("progress.max") > 1  # pixels, told while it was drawn
        size = picture.bounding_box()
        picture.click(position={"x": size["width"] * 10.2 / 256, "y": size["height"] * 20.2 / 192})
        trace = page.wait_for_selector("#made iframe", timeout=60_000).content_frame()
        assert page.input_value("#command").endswith("--thread 10,20 --html trace.html")
        trace.wait_for_selector("#steps:not([hidden])")
        assert "pixel (10, 20)" in trace.inner_text("#steps .where")


@pytest.mark.slow
def test_compute_runs_over_arrays(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    with stood_in(tmp_path, worker=ASKING, handler=Calls) as page:
        page.select_option("#examples", "saxpy.dxbc")
        page.wait_for_selector("#view-page iframe[title='Page of saxpy.dxbc']")
        page.click("#tab-run")
        page.click("#lines button:text('Run')")
        page.wait_for_selector("#printed:has-text('exit code 0')", timeout=60_000)
        assert "0 2 4 6 8 10" in page.inner_text("#printed")
        held = io.BytesIO()
        numpy.save(held, numpy.full(64, 5, "f4"))
        given = {"name": "fives.npy", "mimeType": "", "buffer": held.getvalue()}
        page.set_input_files("#file", [given])
        page.wait_for_selector("#said:has-text('Command lines can name fives.npy.')")
        line = page.input_value("#command").replace("Y=iota(64)", "Y=fives.npy")
        page.fill("#command", line)
        page.press("#command", "Enter")
        page.wait_for_selector("#printed:has-text('5 6 7 8 9')", timeout=60_000)


@pytest.mark.parametrize("name", ["gyroid.dxbc", "saxpy.dxbc", "plasma.skslb", "clay.frag.spv"])
def test_offered_lines_run(name: str) -> None:
    pytest.importorskip("numpy")
    data = example(name)
    lines = dict(playground.show(data, name)["lines"])
    assert {"Summary", "Verify", "Bytes", "Source", "Cost"} < lines.keys()
    first = next(iter(lines.values())).replace("256x192", "8x6")
    told: list[tuple[int, int]] = []
    playground.report = lambda done, total: told.append((done, total))
    try:
        answer = playground.command(first, {name: data})
    finally:
        playground.report = None
    assert answer["code"] == 0, answer["text"]
    assert "Run" in lines or (list(answer["files"]) == ["picture.png"] and told)


@pytest.mark.slow
def test_stop_ends_the_worker(tmp_path: Path) -> None:
    with stood_in(tmp_path) as page:
        page.select_option("#examples", "slow")
        page.wait_for_selector("#progress:not([hidden])")
        page.click("#stop")
        page.wait_for_selector("html[data-ready]", state="attached")
        page.wait_for_selector("#stop:disabled")
        page.select_option("#examples", "one")
        assert framed(page, "#view-page").inner_text("p") == "one, 3 bytes"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "scheme"), [(390, "light"), (820, "dark"), (1440, "light"), (1440, "dark")]
)
def test_the_page_is_accessible(tmp_path: Path, width: int, scheme: str) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="not installed: pip install -e '.[browser]'"
    )
    size = {"width": width, "height": 800}
    with stood_in(tmp_path, viewport=size, color_scheme=scheme, bypass_csp=True) as page:
        page.select_option("#examples", "one")
        framed(page, "#view-page")
        for tab in ("page", "text", "diff", "run"):
            page.click(f"#tab-{tab}")
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
            found = axe.Axe().run(page.main_frame).response["violations"]
            assert [
                (each["id"], each["nodes"][0]["html"])
                for each in found
                if each["impact"] in ("serious", "critical")
            ] == []


def scripts() -> list[Path]:
    return [*sorted(STATIC.glob("*.js"))]


@pytest.mark.slow
def test_types_of_scripts() -> None:
    tsc = shutil.which("tsc")
    if tsc is None:
        pytest.skip("not installed: npm install typescript, on the PATH")
    options = (
        "--allowJs --checkJs --noEmit --strict --target es2022 --lib es2022,dom,dom.iterable"
        " --moduleDetection force --module es2022"
    )
    done = subprocess.run(
        [tsc, *options.split(), *scripts()], capture_output=True, text=True, check=False
    )
    assert done.stdout + done.stderr == ""


# ---------------------------------------------------------------- all of it


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need_browser()
    for tool in ("npm", "node"):
        if shutil.which(tool) is None:
            pytest.skip(f"not installed: {tool}")
    try:
        return once(tmp_path_factory, "playground", build)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"Pyodide cannot be had: {error}")


@pytest.mark.slow
def test_files_are_listed(built: Path) -> None:
    listed = json.loads((built / "files.json").read_text())
    assert {"index.html", "pyodide.asm.wasm", "library.zip", "files.json"} <= set(listed["files"])
    assert all((built / name).is_file() for name in listed["files"])


@pytest.mark.slow
def test_in_a_browser_without_a_network(built: Path) -> None:
    with open_browser("about:blank") as page:
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        with served(built) as address:
            page.goto(address)
            page.wait_for_selector("html[data-ready]", state="attached", timeout=120_000)
            page.wait_for_selector("html[data-kept]", state="attached", timeout=120_000)
        page.reload()  # the server is gone
        page.wait_for_selector("html[data-ready]", state="attached", timeout=120_000)
        page.select_option("#examples", "saxpy.dxbc")
        frame = page.wait_for_selector("#view-page iframe", timeout=60_000).content_frame()
        frame.wait_for_selector("html[data-ready]", state="attached", timeout=60_000)
        page.click("#tab-text")
        text = page.input_value("#text")
        page.fill("#text", text.replace("\nmul r0.x", "\nadd r0.x", 1))
        page.click("#assemble")
        page.wait_for_selector("#problem:has-text('bytes')", timeout=60_000)
        page.click("#tab-diff")
        page.click("#diff-original")
        page.wait_for_selector("#verdict:has-text('code')", timeout=60_000)
        page.click("#tab-run")
        page.fill("#command", "run saxpy.dxbc")
        page.click("#run")
        page.wait_for_selector("#printed:has-text('NumPy')", timeout=60_000)
        assert wrong == []
