"use strict";
// Code side by side, or one above the other on narrow pages; equal lines are folded.

const AROUND = 3; // equal lines that stay before and after a change

/** @typedef {{row: number, side: number} | {from: number, to: number}} Item a line, or a fold */

class CodeDiff {
  /**
   * @param {HTMLElement} host
   * @param {Alignment} alignment
   * @param {(row: number) => void} chose
   */
  constructor(host, alignment, chose) {
    this.alignment = alignment;
    this.chose = chose;
    this.chosen = -1;
    this.quiet = true; // renumbered lines are no stops
    this.narrow = false;
    /** @type {Set<number>} folds that are open, by their first row */
    this.open = new Set();
    /** @type {Item[]} */
    this.items = [];
    this.body = element("div", "lines unshade");
    this.body.tabIndex = 0;
    this.body.setAttribute("role", "region");
    this.body.setAttribute("aria-label", "Lines");
    host.append(this.body);
    this.width = Math.min(alignment.longest() + 10, 200); // letters
    this.rows = new Rows(this.body, {
      height: 20, most: 120, fill: (row, at) => this.fill(row, at),
    });
    this.body.addEventListener("click", (event) => this.click(event));
    this.body.addEventListener("keydown", (event) => this.key(event));
    addEventListener("resize", () => this.layout());
    this.build();
  }

  layout() {
    const narrow = this.body.clientWidth < 1000;
    this.body.style.setProperty("--half", `max(${narrow ? 100 : 50}%, ${this.width}ch)`);
    if (narrow !== this.narrow) {
      this.narrow = narrow;
      this.body.classList.toggle("one", narrow);
      this.build();
    }
    this.rows.resize();
  }

  /** Return the first row of each run of changes. */
  stops() {
    const { kind, count } = this.alignment;
    /** @param {number} row */
    const counts = (row) => kind[row] !== EQUAL && !(this.quiet && kind[row] === RENUMBERED);
    const found = [];
    for (let row = 0; row < count; row++) {
      if (counts(row) && !(row && counts(row - 1))) found.push(row);
    }
    return found;
  }

  /** Make the list of lines and folds. */
  build() {
    const { kind, count, lines } = this.alignment;
    /** @type {Item[]} */
    const items = [];
    /** @param {number} from @param {number} to rows; changes stand together, first those before */
    const changes = (from, to) => {
      for (const side of [0, 1]) {
        for (let row = from; row < to; row++) {
          if (lines[side][row] >= 0) items.push({ row, side });
        }
      }
    };
    let row = 0;
    while (row < count) {
      const from = row;
      const equal = kind[row] === EQUAL;
      while (row < count && (kind[row] === EQUAL) === equal) row++;
      if (!equal && this.narrow) changes(from, row);
      else if (!equal) for (let at = from; at < row; at++) items.push({ row: at, side: -1 });
      else {
        const start = from ? from + AROUND : from;
        const end = row < count ? row - AROUND : row;
        const folded = end - start > 1 && !this.open.has(start);
        for (let at = from; at < row; at++) {
          if (folded && at === start) items.push({ from: start, to: end });
          if (!folded || at < start || at >= end) {
            items.push({ row: at, side: this.narrow ? 1 : -1 });
          }
        }
      }
    }
    this.items = items;
    this.body.style.height = `min(56vh, ${20 * items.length + 18}px)`;
    this.rows.set(items.length);
  }

  /** @param {HTMLElement} element_ @param {number} at */
  fill(element_, at) {
    const item = this.items[at];
    element_.dataset.item = String(at);
    if ("from" in item) {
      element_.classList.remove("chosen");
      element_.replaceChildren(span("fold", `⋯ ${item.to - item.from} equal lines`));
      return;
    }
    element_.classList.toggle("chosen", item.row === this.chosen);
    const sides = item.side < 0 ? [0, 1] : [item.side];
    element_.replaceChildren(...sides.map((side) => this.side(item.row, side)));
  }

  /** @param {number} row @param {number} side */
  side(row, side) {
    const { kind, lines, moves } = this.alignment;
    const line = lines[side][row];
    const name = ROW_KINDS[kind[row]];
    const made = element("span", "side");
    if (line < 0) {
      made.classList.add("none");
      return made;
    }
    const changed = side ? "added" : "removed";
    if (name) made.classList.add(["moved", "renumbered"].includes(name) ? name : changed);
    const sign = { "": " ", moved: side ? "↳" : "↱", renumbered: "≈" }[name] ?? (side ? "+" : "−");
    const text = span("text", "");
    for (const piece of this.alignment.pieces(row, side)) {
      const kinds = [piece.kind && `u-${piece.kind}`, piece.marked && "mark-word"];
      text.append(span(kinds.filter(Boolean).join(" "), piece.text));
    }
    const there = moves[side].get(line);
    if (there !== undefined && name === "moved") {
      made.title = `moved: line ${there + 1} ${side ? "before" : "after"}`;
    }
    made.append(span("number", String(line + 1)), span("sign", sign), text);
    return made;
  }

  /** Choose a row and show it; folds around it open. @param {number} row */
  choose(row) {
    this.chosen = row;
    /** @param {Item} item */
    const holds = (item) => ("from" in item ? item.from <= row && row < item.to : item.row === row);
    let at = this.items.findIndex(holds);
    const item = this.items[at];
    if (item && "from" in item) {
      this.open.add(item.from);
      this.build();
      at = this.items.findIndex(holds);
    }
    if (at >= 0) this.rows.reveal(at);
    this.chose(row);
  }

  /** Go to the next change, or the one before. @param {number} step 1 or -1 */
  go(step) {
    const stops = this.stops();
    if (!stops.length) return;
    const found = step > 0
      ? stops.find((row) => row > this.chosen) ?? stops[0]
      : stops.filter((row) => row < this.chosen).pop() ?? stops[stops.length - 1];
    this.choose(found);
  }

  /** @param {MouseEvent} event */
  click(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest("[data-item]");
    if (row) this.pick(Number(/** @type {HTMLElement} */ (row).dataset.item));
  }

  /** @param {number} at */
  pick(at) {
    const item = this.items[at];
    if (!item) return;
    if ("row" in item) this.choose(item.row);
    else this.choose(item.from);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = this.items.findIndex((item) => "row" in item && item.row === this.chosen);
    this.pick(Math.max(0, Math.min(this.items.length - 1, at + step)));
  }
}
