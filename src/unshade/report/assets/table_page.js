"use strict";
// The page of a table: the filter, its buttons and the rows, with their state in the address.

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
      this.add(`${column.key}=${value.toLowerCase().replace(/\s/g, "_")}`, value, count);
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
    if (location.protocol === "about:") return; // a frame's content (srcdoc) has no address
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

/** Read the columns of the block. */
async function tableColumns() {
  const packed = /** @type {HTMLElement} */ (document.getElementById("block"));
  const block = await Block.of(packed.textContent ?? "");
  packed.remove();
  const words = block.texts("words");
  return {
    /** @param {string} name */
    text: (name) => block.texts(name),
    /** @param {string} name */
    number: (name) => block.numbers(name),
    /** @param {string} name */
    word: (name) => Array.from(block.numbers(name), (number) => words[number]),
  };
}
