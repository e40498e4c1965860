"use strict";
// The listing; a chosen register lights its definitions and uses.

const DEFINES = 1;
const SPANS = 20; // words of a line that have a colour of their own

class ListingPane {
  /** @param {HTMLElement} host @param {Index} index @param {Cursor} cursor @param {Block} block */
  constructor(host, index, cursor, block) {
    this.index = index;
    this.cursor = cursor;
    this.kinds = block.values.kinds;
    this.sizes = block.numbers("word.size");
    this.kind = block.numbers("word.kind");
    this.firstWord = starts(block.numbers("line.words"));
    this.registers = block.texts("registers");
    this.use = block.numbers("use.register");
    this.flags = block.numbers("use.flags");
    this.firstUse = starts(block.numbers("line.uses"));
    this.digits = String(index.lines.length).length;
    const fill = (/** @type {HTMLElement} */ row, /** @type {number} */ at) => this.fill(row, at);
    this.rows = new Rows(host, { height: 20, most: 56, fill });
    this.rows.set(index.lines.length);
    host.addEventListener("click", (event) => this.pick(event));
    host.addEventListener("keydown", (event) => this.key(event));
    cursor.views.push(() => (cursor.line < 0 ? this.rows.render() : this.rows.reveal(cursor.line)));
  }

  /** @param {HTMLElement} row @param {number} at */
  fill(row, at) {
    const { index, cursor } = this;
    const text = index.lines[at];
    /** @type {(HTMLElement | string)[]} */
    const words = [span("number", `${String(at + 1).padStart(this.digits)}  `)];
    const role = this.role(at);
    words.push(span("role", role));
    const operation = index.lineOperation[at];
    const [name, about] = operation < 0 ? ["", []] : index.operations[operation];
    let from = 0;
    const first = this.firstWord[at];
    const last = Math.min(this.firstWord[at + 1], first + SPANS);
    for (let word = first; word < last; word++) {
      const piece = text.slice(from, from + this.sizes[word]);
      const kind = this.kinds[this.kind[word]];
      const made = kind ? span(`u-${kind}`, piece) : piece;
      if (typeof made !== "string" && piece === name) made.title = explanation(about);
      words.push(made);
      from += this.sizes[word];
    }
    if (from < text.length) words.push(text.slice(from));
    row.dataset.row = String(at);
    row.className = "row";
    if (at === cursor.line) row.classList.add("chosen");
    else if (cursor.line >= 0 && index.lineNode[at] >= 0
      && index.lineNode[at] === index.lineNode[cursor.line]) row.classList.add("near");
    if (role.trim()) row.classList.add("lit");
    row.replaceChildren(...words);
  }

  /** Return what a line does with the chosen register. @param {number} line */
  role(line) {
    const { register } = this.cursor;
    let found = "  ";
    for (let at = this.firstUse[line]; register >= 0 && at < this.firstUse[line + 1]; at++) {
      if (this.use[at] === register) found = this.flags[at] & DEFINES ? "◆ " : "◇ ";
      if (this.use[at] === register && this.flags[at] & DEFINES) break;
    }
    return found;
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const row = target.closest(".row");
    if (!(row instanceof HTMLElement)) return;
    const line = Number(row.dataset.row);
    const word = target.classList.contains("u-register") ? target.textContent ?? "" : "";
    const bare = word.replace(/^[-|]+/, "").replace(/\.[a-z]{1,4}\|?$/, "");
    const register = word ? this.registers.findIndex((each) => each === word || each === bare) : -1;
    choose(this.index, this.cursor, { line, register });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = this.rows.room - 1;
    /** @type {Record<string, number>} */
    const steps = {
      ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const last = this.index.lines.length - 1;
    choose(this.index, this.cursor, { line: Math.min(Math.max(this.cursor.line + step, 0), last) });
  }
}

/** Return a row of the table of operations as a text of lines. @param {[string, string][]} about */
function explanation(about) {
  return about.map(([label, text]) => (label ? `${label}: ${text}` : text)).join("\n");
}
