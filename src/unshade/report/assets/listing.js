"use strict";
// The listing; a chosen register lights its definitions and uses, regions of control flow fold.

const DEFINES = 1;
const SPANS = 20; // words of a line that have a colour of their own

class ListingPane {
  /** @param {HTMLElement} host @param {Index} index @param {Cursor} cursor @param {Block} block
   * @param {Marks} marks @param {Card} card @param {Counts | null} counts
   */
  constructor(host, index, cursor, block, marks, card, counts) {
    this.index = index;
    this.counts = counts;
    this.cursor = cursor;
    this.marks = marks;
    this.card = card;
    this.kinds = block.values.kinds;
    this.sizes = block.numbers("word.size");
    this.kind = block.numbers("word.kind");
    this.firstWord = starts(block.numbers("line.words"));
    this.registers = block.texts("registers");
    this.use = block.numbers("use.register");
    this.flags = block.numbers("use.flags");
    this.firstUse = starts(block.numbers("line.uses"));
    this.digits = String(index.lines.length).length;
    this.folds = new Folds(cursor, block.values.flow?.folds ?? [], index.lines.length);
    const fill = (/** @type {HTMLElement} */ row, /** @type {number} */ at) => (
      this.fill(row, this.folds.lineAt(at))
    );
    this.rows = new Rows(host, { height: 20, most: 120, fill });
    this.rows.set(index.lines.length);
    this.label = span("counted", "");
    /** @type {HTMLElement} */ (host.parentElement).querySelector("h2")?.append(this.label);
    this.name();
    host.addEventListener("click", (event) => this.pick(event));
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("mouseover", (event) => this.hover(event));
    host.addEventListener("mouseleave", () => this.leave());
    cursor.lights.push(() => this.rows.render());
    cursor.views.push(() => this.follow());
  }

  /** Show the chosen line. */
  follow() {
    const { cursor, folds, rows } = this;
    if (cursor.line >= 0) folds.reveal(cursor.line);
    if (folds.update()) rows.set(folds.rows);
    if (cursor.line < 0) rows.render();
    else rows.reveal(folds.rowOf(cursor.line));
  }

  /** Show the counts of another run. @param {Counts | null} counts */
  count(counts) {
    this.counts = counts;
    this.name();
    this.rows.render();
  }

  /** Name the column of counts in the heading. */
  name() {
    this.label.textContent = this.counts ? this.counts.label : "";
    this.label.title = this.counts ? COUNTED : "";
  }

  /** @param {HTMLElement} row @param {number} at */
  fill(row, at) {
    const { index, cursor } = this;
    const text = index.lines[at];
    /** @type {(HTMLElement | string)[]} */
    const words = [span("number", String(at + 1).padStart(this.digits)), this.mark(at)];
    if (this.counts) words.push(this.counts.margin(at));
    const role = this.role(at);
    words.push(span("role", role));
    let from = 0;
    const first = this.firstWord[at];
    const last = Math.min(this.firstWord[at + 1], first + SPANS);
    for (let word = first; word < last; word++) {
      const piece = text.slice(from, from + this.sizes[word]);
      const kind = this.kinds[this.kind[word]];
      const made = kind ? span(`u-${kind}`, piece) : piece;
      if (typeof made !== "string" && index.explained(at, piece)) made.classList.add("explained");
      words.push(made);
      from += this.sizes[word];
    }
    if (from < text.length) words.push(text.slice(from));
    const hidden = this.hiddenBy(at);
    if (hidden) words.push(span("folded", ` … ${hidden} line${hidden > 1 ? "s" : ""}`));
    row.dataset.row = String(at);
    const grades = this.marks.line.subarray(at, at + hidden + 1);
    row.className = `row${Marks.kind(hidden ? Math.max(...grades) : grades[0])}`;
    if (at === cursor.line) row.classList.add("chosen");
    else if (cursor.line >= 0 && index.lineNode[at] >= 0
      && index.lineNode[at] === index.lineNode[cursor.line]) row.classList.add("near");
    if (at === this.folds.standIn(cursor.under.line)) row.classList.add("hovered");
    if (role.trim()) row.classList.add("lit");
    row.replaceChildren(...words);
  }

  /** Return how many lines are hidden below a line. @param {number} line */
  hiddenBy(line) {
    return this.cursor.folded.has(line) ? (this.folds.last.get(line) ?? line) - line : 0;
  }

  /** Return what folds the region that begins with a line, or a blank. @param {number} line */
  mark(line) {
    if (!this.folds.last.has(line)) return span("fold", "  ");
    const folded = this.cursor.folded.has(line);
    const made = button(folded ? "▸ " : "▾ ", () => undefined);
    made.className = "fold";
    made.tabIndex = -1; // f does the same
    made.setAttribute("aria-expanded", String(!folded));
    made.setAttribute("aria-label", `Lines from ${line + 1}`);
    made.title = folded ? "unfold (f)" : "fold (f)";
    return made;
  }

  /** Fold or unfold a region, and choose its first line if the chosen one is hidden.
   * @param {number} first
   */
  toggle(first) {
    this.folds.toggle(first);
    this.fold();
  }

  /** Show what has been folded. */
  fold() {
    const { cursor, folds, rows } = this;
    folds.update();
    const line = folds.standIn(cursor.line);
    rows.set(folds.rows);
    if (line === cursor.line) cursor.write();
    else choose(this.index, cursor, { line });
  }

  /** Return what a line does with the register under the pointer, else with the chosen one.
   * @param {number} line
   */
  role(line) {
    const { under, register: chosen } = this.cursor;
    const register = under.register >= 0 ? under.register : chosen;
    let found = "  ";
    for (let at = this.firstUse[line]; register >= 0 && at < this.firstUse[line + 1]; at++) {
      if (this.use[at] === register) found = this.flags[at] & DEFINES ? "◆ " : "◇ ";
      if (this.use[at] === register && this.flags[at] & DEFINES) break;
    }
    return found;
  }

  /** Return the lines that define and that use a register. @param {number} register */
  usesOf(register) {
    /** @type {{defined: number[], used: number[]}} */
    const found = { defined: [], used: [] };
    for (let line = 0; line < this.index.lines.length; line++) {
      for (let at = this.firstUse[line]; at < this.firstUse[line + 1]; at++) {
        if (this.use[at] !== register) continue;
        (this.flags[at] & DEFINES ? found.defined : found.used).push(line);
      }
    }
    return found;
  }

  /** Return the register that a word names, -1 if none: one of the line, or the first of that name,
   * since programs of a file have registers of the same names.
   * @param {HTMLElement} word @param {number} line
   */
  registerOf(word, line) {
    if (!/\bu-(register|name)\b/.test(word.className)) return -1;
    const text = word.textContent ?? "";
    const bare = text.replace(/^[-|]+/, "").replace(/\.[a-z]{1,4}\|?$/, "");
    /** @param {string} each */
    const fits = (each) => each === text || each === bare;
    const own = this.use.subarray(this.firstUse[line], this.firstUse[line + 1]);
    return own.find((each) => fits(this.registers[each])) ?? this.registers.findIndex(fits);
  }

  /** Return the field that holds the number under the pointer. @param {HTMLElement} word
   * @param {number} line @param {MouseEvent} event
   */
  literalOf(word, line, event) {
    const row = /** @type {HTMLElement} */ (word.parentElement);
    let letter = Math.floor((event.clientX - word.getBoundingClientRect().left) / letterWidth(row));
    for (let each = word.previousSibling; each; each = each.previousSibling) {
      if (each instanceof HTMLElement && each.className === "role") break;
      letter += each.textContent?.length ?? 0;
    }
    return literalAt(this.index, line, letter);
  }

  /** Return the row that an event is about and its line. @param {MouseEvent} event */
  lineAt(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest(".row");
    return row instanceof HTMLElement ? Number(row.dataset.row) : -1;
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const line = this.lineAt(event);
    const word = /** @type {HTMLElement} */ (event.target);
    if (word.matches("button.fold, .folded")) {
      event.stopImmediatePropagation(); // no step of a trace is chosen
      this.toggle(line);
      return;
    }
    if (line < 0) return;
    const register = this.registerOf(word, line);
    const node = word.matches(".u-literal") ? this.literalOf(word, line, event) : -1;
    jump(this.index, this.cursor, node < 0 ? { line, register } : { line, node });
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const line = this.lineAt(event);
    if (line < 0) return;
    const word = /** @type {HTMLElement} */ (event.target);
    const { clientX, clientY } = event;
    const register = this.registerOf(word, line);
    const explained = word.classList.contains("explained") ? word.textContent ?? "" : "";
    this.cursor.point({ node: this.index.lineNode[line], line, register });
    // The rows are filled anew, so that the word is another element now.
    const now = document.elementFromPoint(clientX, clientY);
    if (explained && now) this.explain(line, now, 250, explained);
    else if (this.marks.line[line] && now) this.card.show(now, "", this.findings(line), 250);
    else this.card.hide();
  }

  leave() {
    this.card.hide();
    this.cursor.point({});
  }

  /** @param {number} line @returns {[string, string][]} */
  findings(line) {
    return this.marks.at({ line }).map((each) => [each.severity, each.message]);
  }

  /** Show the card of a word of a line. @param {number} line @param {Element} beside
   * @param {number} delay @param {string} word the line's operation by default
   */
  explain(line, beside, delay, word = this.operationOf(line)) {
    const rows = [...(this.index.explained(line, word) ?? []), ...this.findings(line)];
    if (rows.length) this.card.show(beside, word, rows, delay);
  }

  /** Return the operation of a line, "" without one. @param {number} line */
  operationOf(line) {
    const operation = this.index.lineOperation[line];
    return operation < 0 ? "" : this.index.operations[operation][0];
  }

  /** Choose the next register of the chosen line. */
  nextRegister() {
    const { line, register } = this.cursor;
    if (line < 0) return;
    const own = [...new Set(this.use.subarray(this.firstUse[line], this.firstUse[line + 1]))];
    const next = own[(own.indexOf(register) + 1) % own.length] ?? -1;
    choose(this.index, this.cursor, { line, register: next });
  }

  /** Go to the next or previous line with the chosen register. @param {1 | -1} step */
  nextUse(step) {
    const { line, register } = this.cursor;
    if (register < 0) return;
    const { defined, used } = this.usesOf(register);
    const lines = [...defined, ...used].sort((a, b) => (a - b) * step);
    const next = lines.find((each) => (each - line) * step > 0) ?? lines[0];
    choose(this.index, this.cursor, { line: next, register });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = this.rows.room - 1;
    /** @type {Record<string, number>} */
    const steps = {
      ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity,
    };
    const step = steps[event.key];
    this.card.hide();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "r") this.nextRegister();
    else if (event.key === "]") this.nextUse(1);
    else if (event.key === "[") this.nextUse(-1);
    else if (event.key === "f") {
      const first = this.folds.around(this.cursor.line);
      if (first >= 0) this.toggle(first);
    } else if (event.key === "F") {
      this.folds.toggleAll();
      this.fold();
    } else if (event.key === "Enter" || event.key === "e") {
      const row = this.rows.pool.find((each) => Number(each.dataset.row) === this.cursor.line);
      if (row) this.explain(this.cursor.line, row, 0);
    }
    if (step === undefined) return;
    event.preventDefault();
    const { folds, cursor } = this;
    const row = folds.rowOf(cursor.line) + step;
    choose(this.index, cursor, { line: folds.lineAt(Math.min(Math.max(row, 0), folds.rows - 1)) });
  }
}
