"use strict";
// Search in the listing, the fields and the bytes; an offset or hexadecimal bytes are found, too.

const LISTED = 40; // places shown at once
const MOST_FOUND = 20000;

/** @typedef {["line" | "node" | "byte", number]} Hit */

/** Return the places that a text may mean, the listing's first. @param {Index} index
 * @param {string} text @returns {Hit[]}
 */
function search(index, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  /** @type {Hit[]} */
  const found = [];
  const offset = /^(?:0x([0-9a-f]+)|@(\d+))$/.exec(wanted);
  const byte = offset ? (offset[1] ? parseInt(offset[1], 16) : Number(offset[2])) : -1;
  if (byte >= 0 && byte < index.file.length) found.push(["byte", byte]);
  for (let line = 0; line < index.lines.length && found.length < MOST_FOUND; line++) {
    if (index.lines[line].toLowerCase().includes(wanted)) found.push(["line", line]);
  }
  const named = matching(index.strings, wanted);
  const last = /** @type {string} */ (wanted.match(/(\[\d*\]?|[^.[]*)$/)?.[0] ?? "");
  const paths = last.length < wanted.length;
  for (let node = 0; node < index.count && found.length < MOST_FOUND; node++) {
    const hit = named[index.value[node]] || (index.name[node] >= 0 && named[index.name[node]]);
    if (hit || (paths && index.step(node).toLowerCase().startsWith(last)
      && index.path(node).toLowerCase().includes(wanted))) found.push(["node", node]);
  }
  if (/^(?:[0-9a-f]{2}\s*){2,}$/.test(wanted)) {
    for (const at of findBytes(index.file, wanted)) found.push(["byte", at]);
  }
  return found;
}

/** Return for each text whether it contains another. @param {string[]} texts
 * @param {string} wanted in small letters
 */
function matching(texts, wanted) {
  return texts.map((text) => text !== "" && text.toLowerCase().includes(wanted));
}

/** Return where bytes occur. @param {Uint8Array} file @param {string} text in hexadecimal */
function findBytes(file, text) {
  const bytes = (text.match(/[0-9a-f]{2}/g) ?? []).map((pair) => parseInt(pair, 16));
  /** @type {number[]} */
  const found = [];
  for (let at = file.indexOf(bytes[0]); at >= 0; at = file.indexOf(bytes[0], at + 1)) {
    if (bytes.every((byte, step) => file[at + step] === byte)) found.push(at);
    if (found.length === MOST_FOUND) break;
  }
  return found;
}

class SearchBox {
  /** @param {HTMLInputElement} input @param {HTMLElement} list @param {HTMLElement} count
   * @param {Index} index @param {Cursor} cursor
   */
  constructor(input, list, count, index, cursor) {
    this.input = input;
    this.list = list;
    this.count = count;
    this.index = index;
    this.cursor = cursor;
    /** @type {Hit[]} */
    this.found = [];
    this.at = -1;
    input.addEventListener("input", () => this.update());
    input.addEventListener("focus", () => this.show());
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("blur", () => setTimeout(() => this.close(), 200));
    list.addEventListener("mousedown", (event) => this.pick(event));
  }

  update() {
    this.found = search(this.index, this.input.value);
    this.at = -1;
    this.show();
  }

  /** Go to another of the places found. @param {number} step */
  step(step) {
    const count = this.found.length;
    if (!count) return;
    this.go(this.at < 0 ? (step > 0 ? 0 : count - 1) : (this.at + step + count) % count);
  }

  /** @param {number} at */
  go(at) {
    this.at = at;
    const [kind, place] = this.found[at];
    if (kind === "byte") jump(this.index, this.cursor, { bit: place * 8 });
    else jump(this.index, this.cursor, { [kind]: place });
    this.show();
  }

  /** Return a place as a title and where it is. @param {Hit} hit */
  text([kind, at]) {
    const { index } = this;
    if (kind === "line") return [index.lines[at].trim(), `line ${at + 1}`];
    if (kind === "node") return [index.path(at), index.strings[index.value[at]]];
    const node = index.atByte(at);
    return [`offset 0x${at.toString(16)}`, node < 0 ? "" : index.path(node)];
  }

  show() {
    const { found } = this;
    const most = found.length >= MOST_FOUND ? "+" : "";
    const typed = this.input.value.trim() !== "";
    this.count.textContent = !typed ? "" : !found.length ? "nothing found"
      : `${this.at < 0 ? "" : `${this.at + 1} of `}${found.length.toLocaleString("en")}${most}`;
    const focused = document.activeElement === this.input;
    const from = Math.max(0, Math.min(this.at - 4, found.length - LISTED));
    const rows = found.slice(from, from + LISTED).map((each, step) => {
      const at = from + step;
      const row = document.createElement("li");
      row.id = `found-${at}`;
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", String(at === this.at));
      const [title, detail] = this.text(each);
      row.append(span("title", title.slice(0, 200)), span("detail", detail.slice(0, 100)));
      return row;
    });
    this.list.replaceChildren(...rows);
    this.list.hidden = !rows.length || !focused;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.input.setAttribute("aria-activedescendant", this.at < 0 ? "" : `found-${this.at}`);
    if (this.at >= 0) rows[this.at - from]?.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: event.shiftKey ? -1 : 1 }[event.key];
    if (step) {
      event.preventDefault();
      this.step(step);
    } else if (event.key === "Escape") {
      this.close();
      this.input.blur();
    }
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest("li[id]");
    if (!row) return;
    event.preventDefault();
    this.go(Number(row.id.slice("found-".length)));
    this.close();
  }
}
