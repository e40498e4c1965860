"use strict";
// Another version of the shader beside the listing: its code, and what its step writes.

class AgainstPane {
  /** @param {HTMLElement} host @param {Index} index @param {Cursor} cursor */
  constructor(host, index, cursor) {
    this.index = index;
    this.cursor = cursor;
    this.pane = /** @type {HTMLElement} */ (host.parentElement);
    /** @type {Compared | null} */
    this.now = null;
    this.line = -1; // of the other listing, at the step
    this.bar = element("div", "bar");
    this.pane.insertBefore(this.bar, host);
    const fill = (/** @type {HTMLElement} */ row, /** @type {number} */ at) => this.fill(row, at);
    this.rows = new Rows(host, { height: 20, most: 120, fill });
    host.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest(".row");
      if (row instanceof HTMLElement) this.pick(Number(row.dataset.row));
    });
    host.addEventListener("keydown", (event) => {
      const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!way || !this.now) return;
      event.preventDefault();
      const most = this.now.steps.trace.count - 1;
      this.now.steps.go(Math.min(Math.max(cursor.step + way, 0), most));
    });
    cursor.views.push(() => this.follow());
  }

  /** Show the other version of a run; hide the pane if it has none.
   * @param {Block | null} block @param {StepsPane | null} steps
   */
  set(block, steps) {
    const against = block?.values.against;
    this.now = block && steps && against ? new Compared(block, steps) : null;
    for (const each of document.querySelectorAll("#against, #tabs [aria-controls='against']")) {
      /** @type {HTMLElement} */ (each).hidden = !against;
    }
    document.getElementById("bench")?.classList.toggle("compared", Boolean(against));
    if (!this.now) return;
    const title = /** @type {HTMLElement} */ (this.pane.querySelector("h2"));
    title.textContent = `Other version: ${against.title}`;
    this.rows.set(this.now.lines.length);
    this.follow();
  }

  follow() {
    const { now, cursor } = this;
    if (!now) return;
    const pieces = [];
    const step = cursor.thread === now.thread ? now.steps.trace.count && cursor.step : -1;
    const other = step >= 0 ? now.step[step] : -1;
    if (other >= 0) {
      this.line = now.trace.line[other];
      pieces.push(span("about", `step ${other + 1} of ${now.trace.count}`), ...now.writes(step, other));
    } else {
      const own = now.own.indexOf(cursor.line);
      if (own >= 0) this.line = own;
      pieces.push(span("about", cursor.thread === now.thread
        ? "the other version has no such step" : "only the first thread shown is compared"));
    }
    if (now.first >= 0) {
      const go = button("first difference", () => now.goFirst());
      go.title = "the first step that differs";
      pieces.push(go);
    } else pieces.push(span("about", now.differs ? "" : "no step differs"));
    this.bar.replaceChildren(...pieces);
    if (this.line >= 0) this.rows.reveal(this.line);
    else this.rows.render();
  }

  /** @param {HTMLElement} row @param {number} at */
  fill(row, at) {
    const { now } = this;
    if (!now) return;
    const digits = String(now.lines.length).length;
    const text = now.lines[at];
    /** @type {(HTMLElement | string)[]} */
    const words = [span("number", `${String(at + 1).padStart(digits)} `),
      span("role", now.own[at] < 0 && text.trim() ? "≠ " : "  ")];
    let from = 0;
    const last = Math.min(now.firstWord[at + 1], now.firstWord[at] + SPANS);
    for (let word = now.firstWord[at]; word < last; word++) {
      const piece = text.slice(from, from + now.size[word]);
      const kind = now.kinds[now.kind[word]];
      words.push(kind ? span(`u-${kind}`, piece) : piece);
      from += now.size[word];
    }
    if (from < text.length) words.push(text.slice(from));
    row.dataset.row = String(at);
    row.className = "row";
    if (now.own[at] < 0 && text.trim()) row.classList.add("alone");
    if (at === this.line) row.classList.add("chosen");
    row.replaceChildren(...words);
  }

  /** Go to the step of a line, else to the line of this version. @param {number} line */
  pick(line) {
    const { now, cursor } = this;
    if (!now) return;
    const { count } = now.steps.trace;
    for (let tried = 1; tried <= count; tried++) {
      const step = (cursor.step + tried) % count;
      if (now.step[step] < 0 || now.trace.line[now.step[step]] !== line) continue;
      now.steps.go(step);
      return;
    }
    if (now.own[line] >= 0) choose(this.index, cursor, { line: now.own[line] });
  }
}

/** The other version of one run. */
class Compared {
  /** @param {Block} block @param {StepsPane} steps */
  constructor(block, steps) {
    const { against, traces, kinds } = block.values;
    this.steps = steps;
    /** @type {number} */
    this.thread = traces.shown;
    /** The first step that differs, -1 if that is none of this version. @type {number} */
    this.first = against.first;
    /** @type {boolean} */
    this.differs = against.differs;
    /** @type {string[]} */
    this.kinds = kinds;
    this.lines = block.texts("against.lines");
    this.firstWord = starts(block.numbers("against.words"));
    this.size = block.numbers("against.size");
    this.kind = block.numbers("against.kind");
    this.own = block.numbers("against.line");
    this.step = block.numbers("against.step");
    this.trace = new Trace(block, 0, "against.");
  }

  goFirst() {
    this.steps.setThread(this.thread);
    this.steps.go(this.first);
  }

  /** Return what a step of the other version writes, and whether its bits differ.
   * @param {number} step of this version @param {number} other
   */
  writes(step, other) {
    const own = written(this.steps.trace, step);
    return written(this.trace, other).map((at, number) => {
      const made = span("", `${this.trace.places[this.trace.place[at]]} ${this.trace.value(at)}`);
      const before = own[number];
      const { trace } = this.steps;
      if (before === undefined || trace.low[before] !== this.trace.low[at]
        || trace.high[before] !== this.trace.high[at]) {
        made.classList.add("differs");
        if (before !== undefined) made.append(`, here ${trace.value(before)}`);
      }
      return made;
    });
  }
}

/** Return the writes of a step. @param {Trace} trace @param {number} step */
function written(trace, step) {
  const found = [];
  for (let at = trace.firstAccess[step]; at < trace.firstAccess[step + 1]; at++) {
    if (trace.flags[at] & WRITES) found.push(at);
  }
  return found;
}
