"use strict";
// The controls of a trace, and the values at its step: what the step reads and writes, then all.

class StepsPane {
  /** @param {HTMLElement} host @param {Index} index @param {Cursor} cursor @param {Trace} trace */
  constructor(host, index, cursor, trace) {
    this.index = index;
    this.cursor = cursor;
    this.trace = trace;
    /** Rows: accesses of the step, then the last access of each place. @type {number[]} */
    this.shown = [];
    this.own = 0;
    this.step = -2;
    const bar = document.createElement("div");
    bar.className = "bar";
    const buttons = [
      this.button("|◀", "first step", () => 0),
      this.button("◀", "step back (p)", (step) => step - 1),
      this.button("▶", "step (n)", (step) => step + 1),
      this.button("▶|", "last step", () => trace.count - 1),
    ];
    this.slider = document.createElement("input");
    this.slider.type = "range";
    this.slider.min = "0";
    this.slider.max = String(Math.max(0, trace.count - 1));
    this.slider.setAttribute("aria-label", "step");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.about = span("about", "");
    bar.append(...buttons, this.slider, this.about);
    const list = document.createElement("div");
    list.className = "list";
    list.tabIndex = 0;
    host.append(bar, list);
    const fill = (/** @type {HTMLElement} */ row, /** @type {number} */ at) => this.fill(row, at);
    this.rows = new Rows(list, { height: 20, most: 40, fill });
    cursor.views.push(() => this.follow());
    addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {string} sign @param {string} title @param {(step: number) => number} next */
  button(sign, title, next) {
    const made = document.createElement("button");
    made.textContent = sign;
    made.title = title;
    made.setAttribute("aria-label", title);
    made.addEventListener("click", () => this.go(next(this.cursor.step)));
    return made;
  }

  /** @param {number} step */
  go(step) {
    const { trace, index, cursor } = this;
    cursor.step = Math.min(Math.max(step, 0), trace.count - 1);
    choose(index, cursor, { line: trace.line[cursor.step] });
  }

  /** Show the step of the cursor, or the closest one of its line. */
  follow() {
    const { trace, cursor } = this;
    if (cursor.line >= 0 && trace.line[cursor.step] !== cursor.line) {
      const step = trace.stepOf(cursor.line, Math.max(cursor.step, 0));
      if (step >= 0) cursor.step = step;
    }
    if (cursor.step === this.step) return;
    this.step = cursor.step;
    this.slider.value = String(Math.max(0, this.step));
    const rounds = trace.strings[trace.rounds[this.step]];
    const notes = trace.strings[trace.notes[this.step]];
    this.about.textContent = [
      `step ${this.step + 1} of ${trace.count}`, rounds && `round ${rounds}`, notes,
    ].filter(Boolean).join(", ");
    const first = trace.firstAccess[this.step];
    const last = trace.firstAccess[this.step + 1];
    const own = Array.from({ length: last - first }, (_, at) => first + at);
    const held = [...trace.before(this.step)].filter((at) => at >= 0);
    this.own = own.length;
    this.shown = [...own, ...held.sort((a, b) => b - a)];
    this.rows.set(this.shown.length);
    this.rows.show(0);
  }

  /** @param {HTMLElement} row @param {number} at */
  fill(row, at) {
    const { trace } = this;
    const access = this.shown[at];
    const own = at < this.own;
    const wrote = (trace.flags[access] & WRITES) !== 0;
    const place = trace.place[access];
    const pieces = [
      span("mark", own ? (wrote ? "→" : "") : ""),
      span("name", trace.places[place]),
      span("label", trace.strings[trace.label[place]]),
      span("number-value", trace.value(access)),
      span("bits", trace.bits(access)),
    ];
    if (own && wrote && !(trace.flags[access] & NEW)) {
      pieces.push(span("was", `was ${trace.value(access, true)}`));
    }
    row.className = `row${own ? " own" : ""}${own && wrote ? " wrote" : ""}`;
    row.replaceChildren(...pieces);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLInputElement && event.target.type === "search") return;
    const step = { n: 1, p: -1 }[event.key];
    if (step) this.go(this.cursor.step + step);
  }
}
