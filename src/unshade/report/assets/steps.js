"use strict";
// The controls of a trace, and the values at its step.

const FORMS = [["", "as used"], ["float", "float"], ["int", "int"], ["uint", "uint"], ["hex", "hex"]];

class StepsPane {
  /** @param {HTMLElement} host @param {Index} index @param {Cursor} cursor @param {Block} block */
  constructor(host, index, cursor, block) {
    this.host = host;
    this.index = index;
    this.cursor = cursor;
    this.block = block;
    this.about = block.values.traces;
    /** @type {HTMLSelectElement | null} */
    this.thread = null;
    this.uses = new ListingUses(block);
    this.trace = new Trace(block, cursor.thread);
    /** @type {PlaceRow[]} */
    this.shown = [];
    this.step = -2;
    this.place = -1;
    /** @type {number[]} */
    this.hits = [];
    const [visits, counts] = visitsOf(this.trace);
    this.visits = visits;
    this.visitCounts = counts;
    /** @type {Finding[]} */
    this.findings = this.about.findings;
    this.slider = element("input", "");
    this.condition = element("input", "");
    this.found = span("about", "");
    this.state = span("about where", "");
    this.filter = element("input", "");
    this.form = choice("format of numbers", FORMS);
    this.controls();
    this.timeline = new Plot(host, 44, (step) => this.go(step));
    this.graph = new Plot(host, 56, (step) => this.go(step));
    this.graph.canvas.hidden = true;
    this.range = span("about", "");
    this.range.hidden = true;
    host.append(this.range);
    const list = this.list = element("div", "list");
    const fill = (/** @type {HTMLElement} */ row, /** @type {number} */ at) => (
      fillPlace(this.trace, row, this.shown[at], this.form.value));
    this.rows = new Rows(list, { height: 20, most: 120, fill });
    this.values();
    this.origin = new OriginPane(host, this);
    this.restart();
    this.ended = new AbortController();
    const { signal } = this.ended;
    this.view = () => this.follow();
    cursor.views.push(this.view);
    addEventListener("keydown", (event) => this.key(event), { signal });
    document.querySelector("#listing .body")?.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest(".row");
      if (row instanceof HTMLElement) this.again(Number(row.dataset.row));
    }, { capture: true, signal });
  }

  /** Leave the page, for another trace. */
  end() {
    this.ended.abort();
    this.cursor.views.splice(this.cursor.views.indexOf(this.view), 1);
    this.host.replaceChildren();
    this.host.hidden = true;
    document.getElementById("bench")?.classList.remove("traced");
  }

  /** Make the buttons, the slider and the box for conditions. */
  controls() {
    const { trace } = this;
    const bar = element("div", "bar");
    this.slider.type = "range";
    this.slider.min = "0";
    this.slider.setAttribute("aria-label", "step");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    const sourced = trace.source.some((each) => each > 0);
    const called = trace.caller.some((each) => each >= 0);
    bar.append(
      this.button("|◀", "first step", () => 0),
      ...(sourced ? [this.button("◀≡", "line of the source back (S)", this.walk(-1, "into"))] : []),
      this.button("◀", "step back (p)", (step) => step - 1),
      this.slider,
      this.button("▶", "step (n)", (step) => step + 1),
      ...(sourced ? [this.button("≡▶", "line of the source (s)", this.walk(1, "into"))] : []),
      ...(called ? [
        this.button("↷", "over calls (o)", this.walk(1, "over")),
        this.button("↥", "out of the call (u)", this.walk(1, "out")),
      ] : []),
      this.button("▶|", "last step", () => this.trace.count - 1),
    );
    const stop = element("div", "bar");
    this.condition.type = "search";
    this.condition.placeholder = "run to: 17, r0.x > 3, mul, nan, finding";
    this.condition.setAttribute("aria-label", "condition to run to");
    this.condition.spellcheck = false;
    this.condition.addEventListener("input", () => this.setCondition());
    this.condition.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.go(this.hit(event.shiftKey ? -1 : 1)(this.cursor.step));
    });
    this.found.setAttribute("role", "status");
    stop.append(this.condition, this.button("◀ run", "back to the hit before (C)", this.hit(-1)),
      this.button("run ▶", "to the next hit (c)", this.hit(1)), this.found);
    if (this.about.all.length > 1) stop.append(this.threads());
    this.host.append(bar, stop, this.state);
    if (this.findings.length) this.host.append(this.listFindings());
  }

  /** Return the choice of the thread: a pixel may be covered by several triangles. */
  threads() {
    const chosen = this.thread = choice("thread", this.about.all.map((/** @type {{thread: string}} */ each,
      /** @type {number} */ at) => [String(at), each.thread]));
    chosen.value = String(this.cursor.thread);
    chosen.addEventListener("change", () => {
      this.setThread(Number(chosen.value));
      this.go(0);
    });
    return chosen;
  }

  /** Show the trace of another thread. @param {number} number */
  setThread(number) {
    const { cursor } = this;
    if (number === cursor.thread || number >= this.about.all.length) return;
    cursor.thread = number;
    if (this.thread) this.thread.value = String(number);
    this.trace = new Trace(this.block, number);
    this.restart();
  }

  /** Return the findings, each a way to its first step. */
  listFindings() {
    const made = element("div", "findings");
    for (const each of this.findings.slice(0, 12)) {
      const link = element("button", "finding");
      const times = each.count > 1 ? `, ${each.count.toLocaleString("en")} times` : "";
      link.textContent = `${each.kind}: ${each.message}; ${each.thread}${times}`;
      link.addEventListener("click", () => this.goTo(each));
      made.append(link);
    }
    return made;
  }

  /** Make the list of values, and the choices above it. */
  values() {
    const bar = element("div", "bar");
    this.filter.type = "search";
    this.filter.placeholder = "filter by name";
    this.filter.setAttribute("aria-label", "filter values by name");
    this.filter.addEventListener("input", () => this.fill());
    this.form.addEventListener("change", () => this.rows.render());
    bar.append(this.filter, this.form);
    const { list } = this;
    list.tabIndex = 0;
    list.setAttribute("aria-label", "values at the step");
    list.setAttribute("role", "region");
    this.host.append(bar, list);
    list.addEventListener("click", (event) => {
      const at = /** @type {HTMLElement} */ (event.target).dataset.at;
      if (at !== undefined) this.ask(Number(at));
    });
  }

  /** Begin with another trace. */
  restart() {
    const { trace } = this;
    this.step = -2;
    this.place = -1;
    const [visits, counts] = visitsOf(trace);
    this.visits = visits;
    this.visitCounts = counts;
    this.slider.max = String(Math.max(0, trace.count - 1));
    this.graph.canvas.hidden = this.range.hidden = true;
    this.origin.box.hidden = true;
    this.setCondition();
  }

  /** @param {string} sign @param {string} title @param {(step: number) => number} next */
  button(sign, title, next) {
    const made = element("button", "");
    made.textContent = sign;
    made.title = title;
    made.setAttribute("aria-label", title);
    made.addEventListener("click", () => this.go(next(this.cursor.step)));
    return made;
  }

  /** Return a way by line of the source. @param {1 | -1} way @param {"into" | "over" | "out"} how */
  walk(way, how) {
    return (/** @type {number} */ step) => {
      if (how === "out" && !depthOf(this.trace, step)) return step;
      const found = sourceStep(this.trace, step, way, how);
      return found >= 0 ? found : way > 0 ? this.trace.count - 1 : 0;
    };
  }

  /** Return the way to the next hit of the condition. @param {1 | -1} way */
  hit(way) {
    return (/** @type {number} */ step) => {
      const found = way > 0 ? this.hits.find((each) => each > step)
        : this.hits.filter((each) => each < step).pop();
      return found ?? step;
    };
  }

  setCondition() {
    const text = this.condition.value.trim();
    const found = text ? stepsWhere(this.trace, this.index, text, this.findings) : [];
    this.hits = typeof found === "string" ? [] : found;
    this.condition.classList.toggle("wrong", typeof found === "string");
    const steps = `${this.hits.length.toLocaleString("en")} step${this.hits.length === 1 ? "" : "s"}`;
    this.found.textContent = typeof found === "string" ? found : text ? steps : "";
    this.timeline.set("lines over steps", this.trace.line, true, this.hits);
  }

  /** @param {number} step */
  go(step) {
    const { trace, index, cursor } = this;
    cursor.step = Math.min(Math.max(step, 0), trace.count - 1);
    choose(index, cursor, { line: trace.line[cursor.step] });
  }

  /** A click on the line of the step goes to the line's next visit. @param {number} line */
  again(line) {
    const { trace, cursor } = this;
    if (line !== cursor.line || trace.line[cursor.step] !== line) return;
    cursor.step = nextVisit(trace, line, cursor.step, 1);
  }

  /** Go to the first step of a finding, else to its line. @param {Finding} finding */
  goTo(finding) {
    const step = Array.from({ length: this.trace.count }, (_, at) => at).find((at) => (
      this.trace.line[at] === finding.line && isFinding(this.trace, at, [finding])));
    if (step !== undefined) this.go(step);
    else choose(this.index, this.cursor, { line: finding.line });
  }

  /** Show where a value comes from, and its place over the steps. @param {number} at */
  ask(at) {
    this.place = this.trace.place[at];
    const [numbers, start] = valuesOver(this.trace, this.place);
    const name = this.trace.places[this.place];
    const [least, most] = finiteRange(numbers);
    this.graph.start = start;
    this.graph.canvas.hidden = this.range.hidden = false;
    this.graph.set(`${name} over steps`, numbers, false);
    this.range.textContent = least <= most
      ? `${name} over steps: ${short(least)} to ${short(most)}` : `${name} over steps`;
    this.origin.show(at);
    this.rows.resize();
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
    const rounds = trace.rounds(this.step);
    const notes = trace.strings[trace.notes[this.step]];
    const visit = this.visits[this.step];
    const count = this.visitCounts.get(trace.line[this.step]) ?? 0;
    this.state.textContent = [
      this.about.all.length === 1 && this.about.all[0].thread,
      `step ${this.step + 1} of ${trace.count}`, count > 1 && `visit ${visit} of ${count} of its line`,
      rounds && `iteration ${rounds}`, callsOf(trace, this.step), notes,
    ].filter(Boolean).join(", ");
    this.timeline.at(this.step);
    this.graph.at(this.step);
    this.fill();
  }

  /** List what the step reads and writes, then the last access of each place. */
  fill() {
    const { trace } = this;
    const first = trace.firstAccess[this.step];
    const last = trace.firstAccess[this.step + 1];
    const own = Array.from({ length: last - first }, (_, at) => first + at);
    const held = [...trace.before(this.step)].filter((at) => at >= 0).sort((a, b) => b - a);
    const name = this.filter.value.trim();
    const wanted = (/** @type {number} */ at) => !name
      || trace.strings[trace.names[trace.place[at]]].toLowerCase().includes(name.toLowerCase());
    this.shown = [
      ...placeRows(trace, own.filter(wanted), true), ...placeRows(trace, held.filter(wanted), false),
    ];
    this.rows.set(this.shown.length);
    this.rows.show(0);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target instanceof HTMLSelectElement) return;
    if (target instanceof HTMLInputElement && target.type === "search") return;
    const { trace, cursor } = this;
    /** @type {Record<string, (step: number) => number>} */
    const ways = {
      n: (step) => step + 1, p: (step) => step - 1, s: this.walk(1, "into"), S: this.walk(-1, "into"),
      o: this.walk(1, "over"), O: this.walk(-1, "over"), u: this.walk(1, "out"),
      U: this.walk(-1, "out"), c: this.hit(1), C: this.hit(-1),
      v: (step) => nextVisit(trace, trace.line[step], step, 1),
      V: (step) => nextVisit(trace, trace.line[step], step, -1),
    };
    if (Object.hasOwn(ways, event.key)) this.go(ways[event.key](cursor.step));
  }
}

/** @typedef {{kind: string, message: string, line: number, count: number, thread: string}} Finding */

/** Show the traces of a page. @param {Index} index @param {Cursor} cursor @param {Block} block */
function tracePane(index, cursor, block) {
  const host = /** @type {HTMLElement} */ (document.getElementById("steps"));
  host.hidden = false;
  document.getElementById("bench")?.classList.add("traced");
  cursor.step = 0;
  cursor.thread = block.values.traces.shown;
  return new StepsPane(host, index, cursor, block);
}
