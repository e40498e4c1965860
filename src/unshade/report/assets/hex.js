"use strict";
// The bytes of the file, sixteen a row, eight where there is less room; a field has its colour.

class HexPane {
  /** @param {HTMLElement} host @param {Index} index @param {Cursor} cursor @param {Marks} marks */
  constructor(host, index, cursor, marks) {
    this.host = host;
    this.index = index;
    this.cursor = cursor;
    this.across = 16;
    /** Nodes that the chosen line shows. @type {number[]} */
    this.near = [];
    /** Nodes that the line under the pointer shows. @type {number[]} */
    this.hovered = [];
    /** First bits of fields with findings, by their node. @type {Map<number, number>} */
    this.marked = new Map();
    marks.places.forEach(({ bit }) => {
      const node = bit === undefined ? -1 : index.atByte(Math.floor(bit / 8));
      if (node >= 0) this.marked.set(node, Math.max(marks.node[node], marks.inside[node], 1));
    });
    const fill = (/** @type {HTMLElement} */ row, /** @type {number} */ at) => this.fill(row, at);
    this.rows = new Rows(host, { height: 20, most: 96, fill });
    this.digits = Math.max(4, index.file.length.toString(16).length);
    this.fit();
    host.addEventListener("click", (event) => this.pick(event));
    host.addEventListener("mousemove", (event) => this.hover(event));
    host.addEventListener("mouseleave", () => cursor.point({}));
    host.addEventListener("keydown", (event) => this.key(event));
    cursor.views.push(() => this.reveal());
    cursor.lights.push(() => this.light());
    new ResizeObserver(() => this.fit()).observe(host);
  }

  /** Set how many bytes a row shows. */
  fit() {
    const letters = this.host.clientWidth / letterWidth(this.host);
    const fits = [32, 16].find((each) => letters >= this.digits + 2 + each * 4);
    const across = fits ?? (letters < 1 ? 16 : 8);
    if (this.rows.count && across === this.across) return;
    this.across = across;
    this.rows.set(Math.ceil(this.index.file.length / across));
    this.reveal();
  }

  /** Show what is under the pointer. */
  light() {
    const { index, cursor } = this;
    this.hovered = index.shownWith(cursor.under.node, cursor.under.line);
    this.rows.render();
  }

  reveal() {
    const { line } = this.cursor;
    this.near = line < 0 ? [] : this.index.shownWith(this.index.lineNode[line], line);
    this.rows.reveal(Math.floor(this.cursor.bit / 8 / this.across));
  }

  /** @param {HTMLElement} row @param {number} at */
  fill(row, at) {
    const { file } = this.index;
    const start = at * this.across;
    const end = Math.min(start + this.across, file.length);
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
    const blank = "   ".repeat(start + this.across - end);
    row.dataset.row = String(at);
    row.replaceChildren(offset, ...bytes, blank, ...letters);
  }

  /** Return the classes of a byte. @param {number} byte */
  kind(byte) {
    const { index, cursor } = this;
    const node = index.atByte(byte);
    let kind = node < 0 || index.kind[node] !== 1 ? "raw" : colour(index, node);
    if (index.covers(byte, cursor.node)) kind += " chosen";
    else if (this.near.some((each) => index.covers(byte, each))) kind += " near";
    if (this.hovered.some((each) => index.covers(byte, each))) kind += " hovered";
    if (this.marked.has(node)) kind += Marks.kind(this.marked.get(node) ?? 0);
    if (byte === Math.floor(cursor.bit / 8)) kind += " here";
    return kind;
  }

  /** Return the byte under the pointer, -1 if there is none. @param {MouseEvent} event */
  byteAt(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest(".row");
    if (!(row instanceof HTMLElement)) return -1;
    const rect = row.getBoundingClientRect();
    const letter = (event.clientX - rect.left) / letterWidth(row) - this.digits - 2;
    const column = letter < 3 * this.across ? Math.floor(letter / 3) : Math.floor(letter - 3 * this.across);
    const byte = Number(row.dataset.row) * this.across + column;
    return column >= 0 && column < this.across && byte < this.index.file.length ? byte : -1;
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const byte = this.byteAt(event);
    if (byte >= 0) jump(this.index, this.cursor, { bit: byte * 8 });
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const byte = this.byteAt(event);
    const node = byte < 0 ? -1 : this.index.atByte(byte);
    this.cursor.point({ node, line: node < 0 ? -1 : this.index.lineOf[node] });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = this.across * (this.rows.room - 1);
    /** @type {Record<string, number>} */
    const steps = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.across, ArrowDown: this.across,
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
