"use strict";
// The bytes of the file, sixteen a row; a field's bytes have its colour.

const ACROSS = 16;

class HexPane {
  /** @param {HTMLElement} host @param {Index} index @param {Cursor} cursor */
  constructor(host, index, cursor) {
    this.index = index;
    this.cursor = cursor;
    this.hovered = -1;
    const fill = (/** @type {HTMLElement} */ row, /** @type {number} */ at) => this.fill(row, at);
    this.rows = new Rows(host, { height: 20, most: 48, fill });
    this.digits = Math.max(4, index.file.length.toString(16).length);
    this.rows.set(Math.ceil(index.file.length / ACROSS));
    host.addEventListener("click", (event) => this.pick(event));
    host.addEventListener("mousemove", (event) => this.hover(event));
    host.addEventListener("mouseleave", () => this.light(-1));
    host.addEventListener("keydown", (event) => this.key(event));
    cursor.views.push(() => this.rows.reveal(Math.floor(cursor.bit / 8 / ACROSS)));
  }

  /** @param {HTMLElement} row @param {number} at */
  fill(row, at) {
    const { file } = this.index;
    const start = at * ACROSS;
    const end = Math.min(start + ACROSS, file.length);
    const offset = span("offset", start.toString(16).padStart(this.digits, "0"));
    /** @type {HTMLElement[]} */
    const bytes = [];
    /** @type {HTMLElement[]} */
    const letters = [];
    for (let from = start; from < end; ) {
      const kind = this.kind(from);
      let to = from + 1;
      while (to < end && this.kind(to) === kind) to++;
      let numbers = "";
      let text = "";
      for (let byte = from; byte < to; byte++) {
        numbers += `${file[byte].toString(16).padStart(2, "0")} `;
        text += file[byte] >= 32 && file[byte] < 127 ? String.fromCharCode(file[byte]) : ".";
      }
      bytes.push(span(kind, numbers));
      letters.push(span(kind, text));
      from = to;
    }
    const blank = "   ".repeat(start + ACROSS - end);
    row.dataset.row = String(at);
    row.replaceChildren(offset, ...bytes, blank, ...letters);
  }

  /** Return the classes of a byte. @param {number} byte */
  kind(byte) {
    const { index, cursor } = this;
    const node = index.atByte(byte);
    let kind = node < 0 || index.kind[node] !== 1 ? "raw" : colour(index, node);
    if (index.covers(byte, cursor.node)) kind += " chosen";
    else if (cursor.line >= 0 && index.covers(byte, index.lineNode[cursor.line])) kind += " near";
    if (index.covers(byte, this.hovered)) kind += " hovered";
    return kind;
  }

  /** Return the byte under the pointer, -1 if there is none. @param {MouseEvent} event */
  byteAt(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest(".row");
    if (!(row instanceof HTMLElement)) return -1;
    const rect = row.getBoundingClientRect();
    const letter = (event.clientX - rect.left) / letterWidth(row) - this.digits - 2;
    const column = letter < 3 * ACROSS ? Math.floor(letter / 3) : Math.floor(letter - 3 * ACROSS);
    const byte = Number(row.dataset.row) * ACROSS + column;
    return column >= 0 && column < ACROSS && byte < this.index.file.length ? byte : -1;
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const byte = this.byteAt(event);
    if (byte >= 0) choose(this.index, this.cursor, { bit: byte * 8 });
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const byte = this.byteAt(event);
    this.light(byte < 0 ? -1 : this.index.atByte(byte));
  }

  /** @param {number} node */
  light(node) {
    if (node === this.hovered) return;
    this.hovered = node;
    this.rows.render();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = ACROSS * (this.rows.room - 1);
    /** @type {Record<string, number>} */
    const steps = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -ACROSS, ArrowDown: ACROSS,
      PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const last = this.index.file.length - 1;
    const byte = Math.min(Math.max(Math.floor(this.cursor.bit / 8) + step, 0), last);
    choose(this.index, this.cursor, { bit: byte * 8 });
  }
}
