"""The page of a shader: one safe file, whose panes show the same place."""

import gzip
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest

from unshade import DxContainer, loads
from unshade import open as open_shader
from unshade.isa.source import Source
from unshade.report.page import page

from .browser import need_browser, opened

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = (
    "gyroid.dxbc", "saxpy6.dxil", "clay.frag.spv", "lit.shbin", "plasma.skslb", "everything.vbc",
)  # fmt: skip


def page_of(name: str) -> str:
    return page(open_shader(EXAMPLES / name), name)


@pytest.mark.parametrize("name", FILES)
def test_the_policy_allows_the_scripts_and_nothing_else(name: str) -> None:
    text = page_of(name)
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    packed = re.findall(r'<script type="application/octet-stream" id="code">(.*?)</script>', text)
    assert (len(scripts), len(packed)) == (1, 1)
    style, _, code = gzip.decompress(b64decode(packed[0])).partition(b"\0")
    assert b"#bench{" in style
    codes = [scripts[0].encode(), code]
    digests = [b64encode(sha256(code).digest()).decode() for code in codes]
    policy = unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0])
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert "connect-src" not in rules
    assert rules["script-src"] == " ".join(f"'sha256-{digest}'" for digest in digests)
    assert not re.search(r"""(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?//""", text)


@pytest.mark.parametrize("name", FILES)
def test_without_a_script_the_listing_is_there(name: str) -> None:
    text = page_of(name)
    listing = re.findall(r'<pre id="listing-text">\n(.*?)</pre>', text, re.DOTALL)[0]
    assert unescape(listing) == open_shader(EXAMPLES / name).disassemble().removesuffix("\n")


@pytest.mark.parametrize("name", FILES)
def test_a_page_is_small(name: str) -> None:
    """At most 62 KiB, and six bytes for each byte of the shader; it has its sources, too."""
    size = (EXAMPLES / name).stat().st_size
    assert len(page_of(name).encode()) <= 62 * 1024 + 6 * size


def test_the_style_keeps_what_is_quoted() -> None:
    text = page_of("lit.shbin")
    packed = re.findall(r'id="code">(.*?)</script>', text)[0]
    style = text.partition("<style>")[2].partition("</style>")[0]
    style += gzip.decompress(b64decode(packed)).decode().partition("\0")[0]
    assert '.name::after{content:"  ";}' in style
    assert 'grid-template-areas:"listing tree" "hex values";' in style
    assert "/*" not in style
    assert ".unshade table :is(tr,th,td){" in style


def test_a_name_is_text() -> None:
    name = "</script><img src=x onerror=alert(1)>\u202e</noscript>"
    text = page(open_shader(EXAMPLES / "gyroid.dxbc"), name)
    assert "<img src=x" not in text
    assert "\u202e" not in text
    assert text.count("</noscript>") == 1


def test_code_that_cannot_be_read_has_a_page() -> None:
    data = (EXAMPLES / "saxpy6.dxil").read_bytes().replace(b"BC\xc0\xde", bytes(4))
    text = page(loads(data), "damaged.dxil")
    assert "expected the magic number" in unescape(text)


@pytest.mark.slow
def test_a_line_lights_its_bytes_and_fields(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page_of("gyroid.dxbc"), encoding="utf-8")
    with opened(file) as shown:
        row = shown.locator("#listing .row:has-text('mad r0.xy')")
        row.click(position={"x": 70, "y": 6})  # the opcode: a number leads to its own bytes
        assert shown.locator("#tree .row.chosen").inner_text() == "▸[6]mad"
        assert "SHEX.instructions[6]" in shown.locator("#values").inner_text()
        chosen = "".join(shown.locator("#hex .chosen").all_inner_texts())
        assert chosen.startswith("32 00 00 0e 32 00 10 00 00 00 00 00")
        assert shown.evaluate("document.getElementsByTagName('*').length") < 3000


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 900), (1440, 2500), (400, 850)])
def test_panes_are_full_and_what_is_below_them_begins_in_sight(
    size: tuple[int, int], tmp_path: Path
) -> None:
    """Lists had at most 56 rows, and nothing told of the sections below the panes."""
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page_of("skinning.dxbc"), encoding="utf-8")
    width, height = size
    with opened(file, viewport={"width": width, "height": height}) as shown:
        for pane in ("listing", "tree", "hex", "sources"):
            if not shown.locator(f"#{pane}").is_visible():
                continue
            missing = shown.evaluate(
                "(id) => { const body = document.querySelector(`#${id} .body`);"
                " const rows = [...body.querySelectorAll('.row:not([hidden])')];"
                " const short = body.scrollHeight <= body.clientHeight;"
                " return short ? 0 : body.getBoundingClientRect().bottom"
                " - Math.max(...rows.map((row) => row.getBoundingClientRect().bottom)); }",
                pane,
            )
            assert missing < 20, pane
        top = shown.evaluate("document.getElementById('overview').getBoundingClientRect().top")
        assert top + 16 < height


@pytest.mark.slow
def test_a_line_lights_all_fields_that_it_shows(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page_of("lit.shbin"), encoding="utf-8")
    with opened(file, "#b=0x0", viewport={"width": 1440, "height": 2000}) as shown:
        shown.locator("#listing .row:has-text('mul r1.xyz, c93, r1')").hover()
        lit = shown.locator("#hex .hovered").all_inner_texts()
        data = open_shader(EXAMPLES / "lit.shbin").to_bytes()
        spans = {each.path: each.offset for each in open_shader(EXAMPLES / "lit.shbin").spans()}
        word, mask = spans["DVLP.code[10].opcode"], spans["DVLP.descriptors[5].mask"]
        assert data[word : word + 4].hex(" ") in "".join(lit)
        assert data[mask : mask + 4].hex(" ") in "".join(lit)


@pytest.mark.slow
def test_blocks_lead_to_lines_and_back(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page_of("gyroid.dxbc"), encoding="utf-8")
    with opened(file, "#line=47") as shown:
        blocks = shown.locator(".flow g")
        assert blocks.nth(1).text_content() == "74–76  loop"
        blocks.nth(1).click()
        assert "loop" in shown.locator("#listing .row.chosen").inner_text()
        shown.go_back()
        shown.wait_for_selector("#listing .row.chosen:has-text('mad r0.xy')")
        assert shown.locator(".piece").all_inner_texts() == ["resolutionfloat2", "timefloat"]
        assert shown.locator(".hole").get_attribute("title") == "padding, offset 12, 4 bytes"


ROWS = """\
// Buffer Definitions:
//
// cbuffer Rows
// {
//
//   float4x3 world[2];                 // Offset:    0 Size:    92
//   float near;                        // Offset:   92 Size:     4
//   float2 far[3];                     // Offset:   96 Size:    40
//   float last;                        // Offset:  144 Size:     4
//
// }
//
ps_5_0
ret
"""


@pytest.mark.slow
def test_every_row_of_a_buffer_shows_what_reaches_it(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "page.html"
    shader = loads(DxContainer.assemble([Source(ROWS)]).to_bytes())
    file.write_text(page(shader, "rows.dxbc"), encoding="utf-8")
    with opened(file) as shown:
        rows = shown.locator(".layout .row:visible")
        rows.nth(9).wait_for()  # the rows are made once the page has its size
        names = [" ".join(row.locator(".piece").all_inner_texts()) for row in rows.all()]
        matrices = [f"world[{at}][{row}]float4x3" for at in (0, 1) for row in range(3)]
        vectors = [f"far[{at}]float2" for at in range(3)]
        assert [each.replace("\n", "") for each in names] == [
            *matrices[:5], f"{matrices[5]} nearfloat", *vectors, "lastfloat",
        ]  # fmt: skip


@pytest.mark.slow
def test_an_address_is_a_place(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page_of("gyroid.dxbc"), encoding="utf-8")
    with opened(file, "#b=0x0") as shown:
        assert shown.locator("#tree .row.chosen").inner_text() == "magic"
        assert shown.locator("#listing .chosen").count() == 0


@pytest.mark.slow
def test_what_is_found_is_shown(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page_of("gyroid.dxbc"), encoding="utf-8")
    with opened(file) as shown:
        shown.keyboard.press("/")
        shown.keyboard.type("0.342898")
        found = shown.locator("#found li").all_inner_texts()
        assert [each.split("\n")[1] for each in found] == [
            "line 56",
            "line 57",
            "-0.342898",
            "0.342898",
        ]
        shown.keyboard.press("Enter")
        assert "0.342898" in shown.locator("#listing .row.chosen").inner_text()
        assert "SHEX.instructions[" in shown.locator("#values").inner_text()
        shown.fill("#search input", "ff ff 7f")
        assert shown.locator("#found li").count() == 0
        assert shown.locator("#count").inner_text() == "nothing found"


@pytest.mark.slow
def test_the_map_leads_to_a_part(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page_of("gyroid.dxbc"), encoding="utf-8")
    with opened(file) as shown:
        shown.click("#map span:has-text('OSGN')")
        assert shown.locator("#tree .row.chosen").inner_text() == "▸OSGN"


@pytest.mark.slow
def test_labels_of_the_map_fit_or_are_hidden(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page_of("saxpy6.dxil"), encoding="utf-8")
    with opened(file, viewport={"width": 390, "height": 844}) as shown:
        labels = shown.evaluate("""() => [...document.querySelectorAll("#map span")].map((each) => {
            const range = document.createRange();
            range.selectNodeContents(each);
            const [box, text] = [each, range].map((one) => one.getBoundingClientRect());
            const words = each.firstChild ? [...range.getClientRects()].pop() : text;
            const seen = words.top < box.bottom - 2;
            return [each.textContent, seen, words.left >= box.left && words.right <= box.right];
        })""")
        visible = [name for name, seen, _ in labels if seen and name]
        assert visible == ["STAT", "DXIL"]
        assert [name for name, seen, fits in labels if seen and name and not fits] == []


@pytest.mark.parametrize(
    ("name", "operation", "summary"),
    [
        ("gyroid.dxbc", "mad_sat", "First source times the second, plus the third"),
        ("lit.shbin", "dp4", "Product"),
        ("clay.frag.spv", "OpFAdd", "Sum of two floats"),
    ],
)
def test_an_operation_is_explained(name: str, operation: str, summary: str) -> None:
    program = open_shader(EXAMPLES / name).programs[0]
    (label, text), *more = program.explain(operation)
    assert label == ""
    assert summary.lower() in text.lower()
    assert dict(more).keys() >= {"operands", "opcode"}
    assert not program.explain("nonsense")


@pytest.mark.slow
@pytest.mark.parametrize("count", [40, 150_000, 1_048_577])
@pytest.mark.parametrize("height", [299.6, 300, 311.3])
def test_the_last_row_of_a_list_of_any_length_is_seen(
    count: int, height: float, tmp_path: Path
) -> None:
    """Browsers have no elements as high as a million rows, so that positions are scaled."""
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page_of("lit.shbin"), encoding="utf-8")
    with opened(file) as shown:
        seen = shown.evaluate(
            """async ([count, height]) => {
                const host = document.createElement("div");
                host.style = `height: ${height}px; overflow: auto; position: fixed; top: 0`;
                document.body.append(host);
                const fill = (row, at) => { row.textContent = at; };
                const rows = new Rows(host, { height: 20, most: 64, fill });
                rows.set(count);
                const frame = () => new Promise((done) => setTimeout(done, 60));
                const last = () => {
                    const below = host.getBoundingClientRect().bottom + 1;
                    const shown = rows.pool.filter((row) => !row.hidden
                        && row.getBoundingClientRect().bottom <= below);
                    return Number(shown[shown.length - 1].textContent);
                };
                await frame();
                rows.show(Infinity);
                await frame();
                const found = [last()];
                rows.show(0);
                await frame();
                host.scrollTop = 1e9;
                await frame();
                return [...found, last()];
            }""",
            [count, height],
        )
    assert seen == [count - 1, count - 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("gyroid.dxbc", "mad r0.xy"), ("saxpy6.dxil", "%1 = call"), ("clay.frag.spv", "= OpLabel"),
        ("lit.shbin", "mov r0, position"), ("plasma.skslb", "float2 q"),
    ],
)  # fmt: skip
def test_a_page_begins_where_the_code_does_and_is_printed_whole(
    name: str, line: str, tmp_path: Path
) -> None:
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page_of(name), encoding="utf-8")
    with opened(file) as shown:
        assert line in shown.locator("#listing .row.chosen").inner_text()
        shown.emulate_media(media="print")
        shown.evaluate("dispatchEvent(new Event('beforeprint'))")
        printed = shown.locator("#printed")
        assert printed.is_visible()
        assert printed.inner_text().split() == open_shader(EXAMPLES / name).disassemble().split()
        assert not shown.locator("#bench").is_visible()


@pytest.mark.slow
def test_a_card_explains_a_name_of_a_number(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page_of("clay.frag.spv"), encoding="utf-8")
    with opened(file, "#line=62") as shown:
        shown.locator("#listing .row.chosen .explained:has-text('Output')").hover()
        shown.wait_for_selector("#card:not([hidden])")
        assert shown.locator("#card").inner_text().split() == [
            "Output", "StorageClass", "capability", "Shader", "value", "3",
        ]  # fmt: skip


@pytest.mark.slow
def test_a_number_of_a_constant_table_leads_to_its_bytes(tmp_path: Path) -> None:
    need_browser()
    shader = open_shader(EXAMPLES / "gyroid.dxbc")
    lines = shader.disassemble().split("\n")
    line = next(at for at, each in enumerate(lines) if "dcl_immediateConstantBuffer" in each)
    file = tmp_path / "page.html"
    file.write_text(page_of("gyroid.dxbc"), encoding="utf-8")
    with opened(file, f"#line={line + 2}") as shown:
        shown.locator("#listing .row.chosen .u-literal").nth(1).click()
        path = shown.locator("#values .path").inner_text().replace("\n", "")
        assert path.endswith("rows[1].y")
        chosen = "".join(shown.locator("#hex .chosen").all_inner_texts())
        assert chosen.startswith("00 00 80 bf")
