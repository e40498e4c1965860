"use strict";
// The source files; the line that the cursor's line of the listing comes from follows it. Files
// that were decompiled have lines of their own, which do not change the shown file.

class SourcesPane {
  /** @param {HTMLElement} host @param {Index} index @param {Cursor} cursor @param {Block} block
   * @param {StepsPane | null} steps @param {Counts | null} counts
   */
  constructor(host, index, cursor, block, steps, counts) {
    this.index = index;
    this.cursor = cursor;
    this.steps = steps;
    this.counts = counts;
    this.file = block.numbers("line.file"); // from 1; 0 for none
    this.line = block.numbers("line.source");
    this.decompiled = block.numbers("line.decompiled"); // likewise, of decompiled files
    this.statement = block.numbers("line.statement");
    this.names = block.texts("source.names");
    this.texts = block.texts("source.texts").map((text) => text.split("\n"));
    /** @type {boolean[]} */
    this.known = block.values.sources;
    /** The lines of the listing that each line of a file became. @type {Map<string, number[]>} */
    this.code = new Map();
    for (const [files, lines] of [[this.file, this.line], [this.decompiled, this.statement]]) {
      files.forEach((file, at) => {
        if (!file) return;
        const key = `${file - 1}:${lines[at]}`;
        this.code.set(key, [...(this.code.get(key) ?? []), at]);
      });
    }
    this.shown = -1;
    this.chosen = -1;
    this.lines = 0; // of the shown file
    /** Whether a comment goes on at the start of each of its lines. @type {boolean[]} */
    this.inside = [];
    const pane = /** @type {HTMLElement} */ (host.parentElement);
    for (const each of document.querySelectorAll("#sources, #tabs [aria-controls='sources']")) {
      /** @type {HTMLElement} */ (each).hidden = false;
    }
    document.getElementById("bench")?.classList.add("sourced");
    this.choice = choice("file", this.names.map((name, at) => [String(at), name]));
    this.choice.addEventListener("change", () => this.show(Number(this.choice.value)));
    this.choice.hidden = this.names.length < 2;
    this.title = /** @type {HTMLElement} */ (pane.querySelector("h2"));
    this.title.append(this.choice);
    const fill = (/** @type {HTMLElement} */ row, /** @type {number} */ at) => this.fill(row, at);
    this.rows = new Rows(host, { height: 20, most: 120, fill });
    host.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest(".row");
      if (row instanceof HTMLElement) this.pick(Number(row.dataset.row));
    });
    host.addEventListener("keydown", (event) => {
      const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!way) return;
      event.preventDefault();
      this.move(way);
    });
    cursor.views.push(() => this.follow());
    this.show(Math.max(0, Math.min(...[...this.file].filter(Boolean)) - 1 || 0));
  }

  /** Show the steps and the counts of another run. @param {StepsPane | null} steps
   * @param {Counts | null} counts
   */
  count(steps, counts) {
    this.steps = steps;
    this.counts = counts;
    this.rows.render();
  }

  /** Show a file. @param {number} file */
  show(file) {
    this.shown = file;
    this.choice.value = String(file);
    const last = [...this.file].reduce((most, each, at) => (
      each === file + 1 ? Math.max(most, this.line[at]) : most), 0);
    this.lines = this.known[file] ? this.texts[file].length - 1 : last;
    this.inside = this.known[file] ? commentsGoOn(this.texts[file]) : [];
    this.rows.set(Math.max(this.lines, 1));
  }

  /** @param {HTMLElement} row @param {number} at */
  fill(row, at) {
    const key = `${this.shown}:${at + 1}`;
    const digits = String(this.lines).length;
    const has = this.code.has(key);
    row.className = "row";
    row.dataset.row = String(at);
    const text = this.known[this.shown] ? this.texts[this.shown][at] ?? ""
      : at ? "" : "the shader does not contain this file";
    const pieces = [span("number", `${String(at + 1).padStart(digits)}  `)];
    if (this.counts?.files.has(this.names[this.shown])) {
      const count = this.counts.sources.get(`${this.names[this.shown]}:${at + 1}`);
      const made = span("count", (count === undefined ? "" : compact(count)).padStart(6) + "  ");
      if (count === 0) made.classList.add("never");
      pieces.push(made);
    }
    const line = span(has ? "" : "no-code", "");
    const words = sourceWords(text, this.inside[at] ?? false);
    line.append(...words.slice(0, SPANS).map(([kind, word]) => span(kind && `u-${kind}`, word)));
    line.append(words.slice(SPANS).map(([, word]) => word).join(""));
    pieces.push(line);
    if (at === this.chosen) row.classList.add("chosen");
    row.replaceChildren(...pieces);
  }

  /** Show the line that the cursor's line comes from. */
  follow() {
    const { line } = this.cursor;
    const inside = line >= 0 && line < this.file.length;
    const decompiled = inside && (this.decompiled[line] === this.shown + 1 || !this.file[line]);
    const [files, lines] = decompiled ? [this.decompiled, this.statement] : [this.file, this.line];
    const file = inside ? files[line] - 1 : -1;
    this.chosen = file < 0 ? -1 : lines[line] - 1;
    if (file >= 0 && file !== this.shown) this.show(file);
    if (this.chosen >= 0) this.rows.reveal(this.chosen);
    else this.rows.render();
  }

  /** Go to the code of a line: to its next step if a trace has one. @param {number} line from 0 */
  pick(line) {
    const lines = this.code.get(`${this.shown}:${line + 1}`);
    if (!lines) return;
    const { steps } = this;
    const step = steps ? nextOf(steps.trace, lines, this.cursor.step) : -1;
    if (steps && step >= 0) steps.go(step);
    else choose(this.index, this.cursor, { line: lines[0] });
  }

  /** Go to the closest line with code. @param {number} way */
  move(way) {
    for (let at = this.chosen + way; at >= 0 && at < this.lines; at += way) {
      if (!this.code.has(`${this.shown}:${at + 1}`)) continue;
      this.pick(at);
      return;
    }
  }
}

/** Return the next step that enters some lines of the listing, -1 if none does.
 * @param {Trace} trace @param {number[]} lines @param {number} from
 */
function nextOf(trace, lines, from) {
  const wanted = new Set(lines);
  for (let tried = 1; tried <= trace.count; tried++) {
    const step = (from + tried) % trace.count;
    if (wanted.has(trace.line[step]) && !(step && wanted.has(trace.line[step - 1]))) return step;
  }
  return -1;
}
