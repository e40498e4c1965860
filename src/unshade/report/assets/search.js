"use strict";
// Search in the listing, the fields and the bytes; an offset or hexadecimal bytes are found, too.

const MOST_FOUND = 60;

/** @typedef {{title: string, detail: string, place: {bit?: number, node?: number, line?: number}}} Found */

/** Return the places that a text may mean, the listing's first. @param {Index} index
 * @param {string} text @returns {Found[]}
 */
function search(index, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  /** @type {Found[]} */
  const found = [];
  const offset = /^(?:0x([0-9a-f]+)|@(\d+))$/.exec(wanted);
  const byte = offset ? (offset[1] ? parseInt(offset[1], 16) : Number(offset[2])) : -1;
  if (byte >= 0 && byte < index.file.length) {
    const node = index.atByte(byte);
    found.push({
      title: `offset 0x${byte.toString(16)}`,
      detail: node < 0 ? "" : index.path(node),
      place: { bit: byte * 8 },
    });
  }
  for (let line = 0; line < index.lines.length && found.length < MOST_FOUND / 2; line++) {
    if (!index.lines[line].toLowerCase().includes(wanted)) continue;
    found.push({
      title: index.lines[line].trim(),
      detail: `line ${line + 1}`,
      place: { line },
    });
  }
  const named = matching(index.strings, wanted);
  const paths = /[.[]/.test(wanted);
  for (let node = 0; node < index.count && found.length < MOST_FOUND; node++) {
    const hit = named[index.value[node]] || (index.name[node] >= 0 && named[index.name[node]]);
    if (!hit && !(paths && index.path(node).toLowerCase().includes(wanted))) continue;
    const value = index.strings[index.value[node]];
    found.push({ title: index.path(node), detail: value, place: { node } });
  }
  const at = /^(?:[0-9a-f]{2}\s*){2,}$/.test(wanted) ? findBytes(index.file, wanted) : -1;
  if (at >= 0) {
    const node = index.atByte(at);
    found.push({
      title: `bytes at 0x${at.toString(16)}`,
      detail: node < 0 ? "" : index.path(node),
      place: { bit: at * 8 },
    });
  }
  return found;
}

/** Return for each text whether it contains another. @param {string[]} texts
 * @param {string} wanted in small letters
 */
function matching(texts, wanted) {
  return texts.map((text) => text !== "" && text.toLowerCase().includes(wanted));
}

/** Return where bytes occur first, -1 if they do not. @param {Uint8Array} file
 * @param {string} text in hexadecimal
 */
function findBytes(file, text) {
  const bytes = (text.match(/[0-9a-f]{2}/g) ?? []).map((pair) => parseInt(pair, 16));
  let at = -1;
  do {
    at = file.indexOf(bytes[0], at + 1);
  } while (at >= 0 && bytes.some((byte, step) => file[at + step] !== byte));
  return at;
}

class SearchBox {
  /** @param {HTMLInputElement} input @param {HTMLElement} list @param {Index} index
   * @param {Cursor} cursor
   */
  constructor(input, list, index, cursor) {
    this.input = input;
    this.list = list;
    this.index = index;
    this.cursor = cursor;
    /** @type {Found[]} */
    this.found = [];
    this.at = 0;
    input.addEventListener("input", () => this.update());
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("blur", () => setTimeout(() => this.close(), 200));
    list.addEventListener("mousedown", (event) => this.pick(event));
  }

  update() {
    this.found = search(this.index, this.input.value);
    this.at = 0;
    this.show();
  }

  show() {
    const rows = this.found.map((each, at) => {
      const row = document.createElement("li");
      row.id = `found-${at}`;
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", String(at === this.at));
      row.append(span("title", each.title), span("detail", each.detail));
      return row;
    });
    if (!rows.length && this.input.value.trim()) {
      const none = document.createElement("li");
      none.className = "none";
      none.textContent = "nothing found";
      rows.push(none);
    }
    this.list.replaceChildren(...rows);
    this.list.hidden = !rows.length;
    this.input.setAttribute("aria-expanded", String(rows.length > 0));
    this.input.setAttribute("aria-activedescendant", this.found.length ? `found-${this.at}` : "");
    rows[this.at]?.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.found.length) {
      event.preventDefault();
      this.at = (this.at + step + this.found.length) % this.found.length;
      this.show();
    } else if (event.key === "Enter" && this.found[this.at]) {
      choose(this.index, this.cursor, this.found[this.at].place);
      if (!event.shiftKey) this.close();
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
    choose(this.index, this.cursor, this.found[Number(row.id.slice("found-".length))].place);
    this.close();
  }
}
