"use strict";
// The index of a folder: the filter, its buttons and the table, with their state in the address.

/** Buttons that put a word into the filter or take it away. */
class Facets {
  /** @param {HTMLElement} host @param {HTMLInputElement} input @param {() => void} changed */
  constructor(host, input, changed) {
    this.host = host;
    this.input = input;
    this.changed = changed;
  }

  /** @param {string} word of the filter @param {string} label @param {number} count
   * @param {string} [kind]
   */
  add(word, label, count, kind = "") {
    const button = document.createElement("button");
    button.dataset.word = word;
    button.append(span(kind, label), span("count", count.toLocaleString("en")));
    button.addEventListener("click", () => {
      const words = this.input.value.split(/\s+/).filter(Boolean);
      const rest = words.filter((each) => each.toLowerCase() !== word);
      if (rest.length === words.length) rest.push(word);
      this.input.value = rest.join(" ");
      this.changed();
    });
    this.host.append(button);
    this.host.hidden = false;
  }

  /** Add the most frequent values of a column, if there are several.
   * @param {TableColumn} column @param {number} most
   */
  of(column, most) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const each of Array.from(column.values, String)) {
      if (each) counts.set(each, (counts.get(each) ?? 0) + 1);
    }
    if (counts.size < 2) return;
    const listed = [...counts].sort((one, other) => other[1] - one[1]).slice(0, most);
    for (const [value, count] of listed) {
      if (!/\s/.test(value)) this.add(`${column.key}=${value.toLowerCase()}`, value, count);
    }
  }

  show() {
    const words = this.input.value.toLowerCase().split(/\s+/);
    for (const each of this.host.children) {
      const { word } = /** @type {HTMLElement} */ (each).dataset;
      each.setAttribute("aria-pressed", String(words.includes(word ?? "")));
    }
  }
}

/** Make the table with its filter; the state is kept in the address.
 * @param {TableColumn[]} columns @param {{label: string, link: (row: number) => string,
 * note: (row: number) => string}} options @param {(facets: Facets) => void} fill
 */
function tablePage(columns, options, fill) {
  const box = /** @type {HTMLElement} */ (document.getElementById("filter"));
  const input = /** @type {HTMLInputElement} */ (box.querySelector("input"));
  box.hidden = false;
  const remember = () => {
    const state = new URLSearchParams();
    if (table.query) state.set("q", table.query);
    if (table.sorted) state.set("sort", (table.down ? "-" : "") + table.sorted);
    history.replaceState(null, "", `#${state}`);
  };
  const host = /** @type {HTMLElement} */ (document.getElementById("table"));
  const table = new Table(host, columns, { ...options, changed: () => {} });
  const facets = new Facets(
    /** @type {HTMLElement} */ (document.getElementById("facets")), input, () => filter(),
  );
  const filter = () => {
    facets.show();
    table.filter(input.value);
  };
  fill(facets);
  const restore = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    input.value = state.get("q") ?? "";
    const sort = state.get("sort") ?? "";
    table.query = input.value;
    table.sort(sort.replace(/^-/, ""), sort.startsWith("-"));
    facets.show();
  };
  restore();
  table.changed = remember;
  addEventListener("hashchange", restore);
  input.addEventListener("input", filter);
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    } else if (document.activeElement === input && ["ArrowDown", "Enter"].includes(event.key)) {
      event.preventDefault();
      table.body.focus();
      table.chosen = 0;
      table.rows.reveal(0);
    }
  });
  const fit = () => {
    const header = /** @type {HTMLElement} */ (document.querySelector("header"));
    host.style.height = `calc(100dvh - ${Math.ceil(header.getBoundingClientRect().height)}px)`;
    table.rows.resize();
  };
  fit();
  addEventListener("resize", fit);
  document.documentElement.dataset.ready = "";
  return table;
}

async function showFolder() {
  const packed = /** @type {HTMLElement} */ (document.getElementById("block"));
  const block = await Block.of((packed.textContent ?? "").trim());
  packed.remove();
  const texts = block.texts("texts");
  /** @param {string} name */
  const word = (name) => Array.from(block.numbers(name), (number) => texts[number]);
  const pages = block.texts("page");
  const errors = block.texts("error");
  const sizes = block.numbers("size");
  const findings = block.numbers("findings");
  /** @type {TableColumn[]} */
  const columns = [
    { key: "name", title: "File", track: "minmax(0, 3fr)", from: 0, values: block.texts("name") },
    { key: "format", title: "Format", track: "minmax(88px, 1fr)", from: 640, values: word("format") },
    { key: "stage", title: "Stage", track: "minmax(0, 1fr)", from: 0, values: word("stage") },
    { key: "target", title: "Target", track: "minmax(0, 1fr)", from: 640, values: word("target") },
    { key: "size", title: "Bytes", track: "72px", from: 0, values: sizes },
    {
      key: "instructions", title: "Instructions", track: "84px", from: 760,
      values: block.numbers("instructions"),
    },
    {
      key: "resources", title: "Resources", track: "72px", from: 1000,
      values: block.numbers("resources"),
    },
    {
      key: "findings", title: "Findings", track: "62px", from: 480, values: findings,
      kind: (row) => (findings[row] > 0 ? "number bad" : "number"),
    },
    { key: "digest", title: "Digest", track: "56px", from: 1000, values: word("digest") },
    {
      key: "compiler", title: "Compiler", track: "minmax(0, 1.5fr)", from: 1000,
      values: word("compiler"),
    },
    {
      key: "hash", title: "SHA-256", track: "17ch", from: 1240, values: block.texts("hash"),
      code: true,
    },
  ];
  tablePage(
    columns,
    { label: "Shaders", link: (row) => pages[row], note: (row) => errors[row] },
    (facets) => {
      facets.of(columns[1], 8);
      facets.of(columns[2], 12);
      const found = Array.from(findings).filter((each) => each > 0).length;
      if (found) facets.add("findings>0", "with findings", found, "bad");
      const failed = Array.from(sizes).filter((each) => each < 0).length;
      if (failed) facets.add("size=-1", "not opened", failed, "bad");
    },
  );
}

if (document.getElementById("table")?.dataset.of === "folder") showFolder();
